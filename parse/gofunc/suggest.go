package gofunc

import (
	"fmt"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// suggestion is the hint for a word that is not among those known: the nearest,
// or all of them.
func suggestion(word string, known []string, list string) string {
	if near := diag.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(known) == 0 {
		return ""
	}
	return fmt.Sprintf(list, strings.Join(known, ", "))
}
