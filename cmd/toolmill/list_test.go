package main

import "testing"

func TestOneLine(t *testing.T) {
	if got, want := oneLine("GET /a\x1b[2J\n\u202eb\u200b é 日"), "GET /a [2J  b  é 日"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
