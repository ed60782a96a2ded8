package openapi

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// BenchmarkParse reads GitHub's document, 13 MB and 1,223 operations.
func BenchmarkParse(b *testing.B) {
	file := filepath.Join(shared(b, "corpus"), "github", "api.github.com.json")
	b.ReportAllocs()
	for b.Loop() {
		var diags diag.List
		if Parse(context.Background(), file, Options{}, &diags) == nil {
			b.Fatal(printed(&diags))
		}
	}
}
