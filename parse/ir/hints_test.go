package ir

import (
	"strings"
	"testing"
)

func TestHintWords(t *testing.T) {
	for _, test := range []struct {
		name string
		tool Tool
		want string
	}{
		{"none", Tool{Hints: Hints{OpenWorld: true}}, ""},
		{"read-only", Tool{Hints: Hints{ReadOnly: true, Idempotent: true, Destructive: true}}, "read-only"},
		{"destructive", Tool{Hints: Hints{Destructive: true, Idempotent: true}}, "destructive, idempotent"},
		{"people are asked", Tool{Confirm: new(true)}, "asks people"},
		{"people are not asked", Tool{Confirm: new(false)}, ""},
		{"deprecated", Tool{Hints: Hints{Idempotent: true}, Deprecated: true, Confirm: new(true)}, "idempotent, asks people, deprecated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(test.tool.HintWords(), ", "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
