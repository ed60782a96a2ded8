package openapi

import (
	"path/filepath"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
)

// TestOtherVersion reads a document with selectors and overlays of another
// version: what matches nothing does nothing.
func TestOtherVersion(t *testing.T) {
	dir := t.TempDir()
	api, overlay := filepath.Join(dir, "api.yaml"), filepath.Join(dir, "o.yaml")
	prove.Write(t, api, "openapi: 3.1.0\ninfo: {title: A, version: '1'}\nservers: [{url: https://a.test}]\npaths:\n"+
		"  /a: {get: {operationId: a, description: Gives a., responses: {'200': {description: OK}}}}\n")
	prove.Write(t, overlay, "overlay: 1.0.0\ninfo: {title: O, version: '1'}\nactions:\n  - {target: \"$.paths['/b']\", remove: true}\n"+
		"  - {target: \"$.paths['/a'].get\", update: {summary: Seen}}\n")
	opts := Options{Overlays: []string{overlay}, Exclude: selectors(t, "op:b")}
	for _, other := range []bool{false, true} {
		var diags diag.List
		opts.OtherVersion = other
		server := Parse(t.Context(), api, opts, &diags)
		if (server != nil) != other || diags.HasErrors() == other {
			t.Errorf("other version %t: %v", other, diags.All())
		}
		if server != nil && server.Tools()[0].Title != "Seen" {
			t.Errorf("the overlay did not do the rest: %+v", server.Tools()[0])
		}
	}
}
