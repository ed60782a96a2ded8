package runtime

import (
	"strconv"
	"strings"
)

// counted is a number and what there are so many of: 1 page, 2 pages.
func counted(n int, one string) string {
	if n != 1 {
		if stem, ok := strings.CutSuffix(one, "y"); ok {
			one = stem + "ie"
		}
		one += "s"
	}
	return strconv.Itoa(n) + " " + one
}

// theFirst begins a note about a result that goes on.
func theFirst(n int, one string) string {
	if n == 1 {
		return "this is the first " + one
	}
	return "these are the first " + counted(n, one)
}
