package diag

import "strings"

// Nearest returns the known word that word was probably meant to be, or "": of
// its letters one in three may be wrong, and case never counts. Of words that
// are equally near it is the longest, as letters are lost more often than
// replaced, and of those the first.
func Nearest(word string, known []string) string {
	letters := []rune(strings.ToLower(word))
	best, limit := "", len(letters)/3
	for _, k := range known {
		d := distance(letters, []rune(strings.ToLower(k)), limit)
		if d <= limit && (best == "" || d < limit || len(k) > len(best)) {
			best, limit = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to make b of a (optimal string alignment). Where the lengths put it
// above the limit, it is limit+1.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var above []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, replaced)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], above[j-1]+1)
			}
		}
		above, row = row, next
	}
	return row[len(b)]
}
