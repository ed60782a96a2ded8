package runtime

import "testing"

func TestCounted(t *testing.T) {
	for _, tc := range []struct {
		n    int
		one  string
		want string
		note string
	}{
		{0, "item", "0 items", "these are the first 0 items"},
		{1, "page", "1 page", "this is the first page"},
		{2, "page", "2 pages", "these are the first 2 pages"},
		{1, "property", "1 property", "this is the first property"},
		{3, "property", "3 properties", "these are the first 3 properties"},
		{12, "more cut", "12 more cuts", "these are the first 12 more cuts"},
	} {
		if got := counted(tc.n, tc.one); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
		if got := theFirst(tc.n, tc.one); got != tc.note {
			t.Errorf("%q, want %q", got, tc.note)
		}
	}
}

// Each note is a sentence of its own, and the first stands behind a colon.
func TestNoteText(t *testing.T) {
	for _, tc := range []struct {
		notes []string
		want  string
	}{
		{[]string{"the answer has no list."}, "Note: the answer has no list."},
		{[]string{"47 items from 3 pages.", "the answer has no field dat.", "écoutez."}, "Note: 47 items from 3 pages. The answer has no field dat. Écoutez."},
	} {
		if got := (&Call{notes: tc.notes}).noteText(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
