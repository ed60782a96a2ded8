package runtime

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"testing"
)

// docs/http.md and the flags know the same.
func TestHTTPDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	def := sample()
	o := newOptions(&def)
	var known, told []string
	o.flags.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	for _, m := range regexp.MustCompile("[` ]-([a-z][a-z-]+)").FindAllStringSubmatch(string(text), -1) {
		told = append(told, m[1])
	}
	for _, name := range o.httpNames {
		if !slices.Contains(told, name) {
			t.Errorf("docs/http.md does not tell of -%s", name)
		}
	}
	for _, name := range told {
		if name != "hex" && !slices.Contains(known, name) { // openssl's
			t.Errorf("docs/http.md tells of -%s, which is no flag", name)
		}
	}
}
