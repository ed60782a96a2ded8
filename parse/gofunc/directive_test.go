package gofunc

import (
	"slices"
	"strings"
	"testing"
)

// TestHelp holds that the help shows every directive and key, and that every
// key has a text and takes the example that the help gives.
func TestHelp(t *testing.T) {
	var b strings.Builder
	if err := WriteHelp(&b); err != nil {
		t.Fatal(err)
	}
	help := b.String()
	for _, v := range verbs {
		if !strings.Contains(help, "//mcp:"+v.name) || v.help == "" {
			t.Errorf("no help for //mcp:%s", v.name)
		}
		for _, k := range v.keys {
			if !strings.Contains(help, "    "+k.name) || k.help == "" {
				t.Errorf("no help for %s of //mcp:%s", k.name, v.name)
			}
			sample := k.sample()
			if k.isFlag() {
				sample = "true"
			} else if k.kind == kindChoice {
				sample = k.choice[0]
			}
			value, n, why := scanValue(sample)
			if why != "" || n != len(sample) {
				t.Errorf("%s: the example %s cannot be read: %s", k.name, sample, why)
			}
			if why := k.check(value); why != "" {
				t.Errorf("%s: the example %s %s", k.name, sample, why)
			}
		}
	}
}

// TestLimitKeys holds that every key of a value does something.
func TestLimitKeys(t *testing.T) {
	others := []string{"desc", "optional", "required", "default", "enum", "example", "deprecated", "schema"}
	for _, k := range valueKeys {
		if _, limit := limitKeys[k.name]; limit == slices.Contains(others, k.name) {
			t.Errorf("%s is read twice or never", k.name)
		}
	}
	for key, to := range schemaKeys {
		if verbNamed("field").key(to) == nil {
			t.Errorf("tag keyword %s becomes %s, which is no key", key, to)
		}
	}
}
