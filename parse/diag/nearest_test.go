package diag

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"get", "put", "post", "parameters", "requestBody", "Pets", "Pet"}
	for _, c := range []struct{ name, word, want string }{
		{"a letter missing", "pst", "post"},
		{"a letter too many", "postt", "post"},
		{"a letter replaced", "poat", "post"},
		{"neighbours swapped", "psot", "post"},
		{"several letters", "paramteres", "parameters"},
		{"case alone", "requestbody", "requestBody"},
		{"the same word", "put", "put"},
		{"the nearer of two", "Petss", "Pets"},
		{"the longest of those equally near", "pot", "post"},
		{"too short to tell", "pt", ""},
		{"nothing near", "callbacks", ""},
		{"no word", "", ""},
		{"letters beyond ASCII", "pöst", "post"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Nearest(c.word, known); got != c.want {
				t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
			}
		})
	}
	if got := Nearest("post", nil); got != "" {
		t.Errorf("nothing is known, got %q", got)
	}
}
