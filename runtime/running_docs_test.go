package runtime

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/running.md and the flags know the same, and its commands work.
func TestRunningDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	def := zoo()
	def.Auth = []Auth{{Name: "api_key", Kind: APIKey, In: "header", Wire: "X-Key"}}
	o := newOptions(&def)
	var known, told []string
	o.flags.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	for _, m := range regexp.MustCompile("[` ]-([a-z][a-z-]+)").FindAllStringSubmatch(string(text), -1) {
		told = append(told, m[1])
	}
	for _, name := range told {
		if !slices.Contains([]string{"hex", "run", "bench", "benchtime"}, name) && !slices.Contains(known, name) { // of openssl and go
			t.Errorf("docs/running.md tells of -%s, which is no flag", name)
		}
	}
	own := &options{def: &def, flags: flag.NewFlagSet("", flag.ContinueOnError)}
	own.callFlags()
	own.flags.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(told, f.Name) {
			t.Errorf("docs/running.md does not tell of -%s", f.Name)
		}
	})
	_, rest, _ := strings.Cut(string(text), "```json\n")
	example, _, _ := strings.Cut(rest, "```")
	secret := configFile(t, "key", "secret-secret")
	example = strings.ReplaceAll(example, "/run/secrets/petstore", secret)
	example = strings.ReplaceAll(example, "placeOrder", "addPet")
	file := configFile(t, "petstore.json", example)
	commands := regexp.MustCompile(`(?m)^petstore (-config .*)$`).FindAllStringSubmatch(string(text), -1)
	if len(commands) != 2 {
		t.Fatalf("%q", commands)
	}
	for _, m := range commands {
		args := strings.Fields(strings.ReplaceAll(m[1], "petstore.json", file))
		if code, _, stdout, stderr := command(t, def, nil, args...); code != 0 || !strings.Contains(stdout, "FROM") && !strings.Contains(stdout, "nothing is missing; 2 tools") {
			t.Errorf("%s: exit %d, %s%s", m[0], code, stdout, stderr)
		}
	}
}
