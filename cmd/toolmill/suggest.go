package main

import "fmt"

// didYouMean is the hint for a misspelt word: the nearest known one, or the
// fallback when none is near.
func didYouMean(word string, known []string, fallback string) string {
	best, bestDistance := "", len(word)/3+1 // one letter in three may be wrong
	for _, k := range known {
		if d := distance(word, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best == "" {
		return fallback
	}
	return fmt.Sprintf("did you mean %s?", best)
}

// distance is Levenshtein's, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
