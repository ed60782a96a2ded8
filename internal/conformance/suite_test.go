package conformance

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestSuite runs every scenario that a revision requires of a server: with
// sessions and without, for the revision that has them and for the one that has
// none. What may fail is in testdata/expected, with the reason.
func TestSuite(t *testing.T) {
	suite := script(t, "conformance", "dist", "index.js")
	for _, s := range []server{functions(t), document(t)} {
		for _, mode := range []string{"", "-stateless"} {
			site := prove.StartHTTP(t, s.env, s.bin, flags(mode)...)
			for _, revision := range []string{"2026-07-28", "2025-11-25"} {
				t.Run(s.name+" "+revision+mode, func(t *testing.T) {
					stdout, stderr, code := run(t, nil, suite, "server", "--url", site.URL,
						"--requirements", revision, "--expected-failures", expected(t, s.name, revision, mode), "-o", t.TempDir())
					_, summary, _ := strings.Cut(stdout, "=== SUMMARY ===")
					if code != 0 || summary == "" {
						t.Fatalf("exit code %d\n%s", code, cmp.Or(summary, stdout+stderr))
					}
					for line := range strings.Lines(summary) {
						if strings.HasPrefix(line, "Total:") {
							t.Log(strings.TrimSpace(line))
						}
					}
					if testing.Verbose() {
						t.Log(summary)
					}
				})
			}
		}
	}
}

func flags(mode string) []string {
	if mode == "" {
		return nil
	}
	return []string{mode}
}

// expected returns the file that says what may fail: one of the mode's own, or
// that of the revision.
func expected(t *testing.T, server, revision, mode string) string {
	t.Helper()
	own := filepath.Join("testdata", "expected", server+"-"+revision+mode+".yml")
	if _, err := os.Stat(own); err == nil {
		return own
	}
	return filepath.Join("testdata", "expected", server+"-"+revision+".yml")
}
