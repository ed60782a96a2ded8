package main

import (
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	for _, tt := range []struct {
		name, what string
		width      int
		want       string
	}{
		{"wide", "reading api.yaml", 80, "reading api.yaml … 12 s"},
		{"one column more than it takes", "reading api.yaml", 24, "reading api.yaml … 12 s"},
		{"as wide as the line", "reading api.yaml", 23, "reading api.yam … 12 s"},
		{"narrow", "reading /home/ä/api.yaml", 20, "reading /hom … 12 s"},
		{"too narrow for the time", "reading", 4, " … "},
		{"unknown", "reading api.yaml", 0, "reading api.yaml … 12 s"},
	} {
		if got := progressLine(tt.what, 12*time.Second, tt.width); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
