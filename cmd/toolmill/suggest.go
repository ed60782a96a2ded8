package main

import (
	"fmt"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// didYouMean is the hint for a misspelt word: the nearest known one, or the
// fallback when none is near.
func didYouMean(word string, known []string, fallback string) string {
	if near := diag.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return fallback
}
