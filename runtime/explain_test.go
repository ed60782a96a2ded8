package runtime

import "testing"

func TestNearestName(t *testing.T) {
	for _, tc := range []struct {
		name, word string
		known      []string
		want       string
	}{
		{"a letter too many", "limitt", []string{"limit", "list"}, "limit"},
		{"a plural", "id", []string{"ids"}, "ids"},
		{"another convention", "petId", []string{"pet", "pet_id"}, "pet_id"},
		{"one letter for another", "x", []string{"z"}, ""},
		{"one letter and another", "x", []string{"xy"}, ""},
		{"one of two letters", "to", []string{"no"}, ""},
		{"the same letter", "X", []string{"x"}, "x"},
		{"no letter", "_", []string{"a"}, ""},
	} {
		if got := nearest(tc.word, tc.known); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestUnknownArgumentOfSeveralPlaces(t *testing.T) {
	for _, tc := range []struct{ word, want string }{
		{"id", "id: unknown argument; did you mean id__path or id__query? (allowed: id__path, id__query, ids)"},
		{"ID", "ID: unknown argument; did you mean id__path or id__query? (allowed: id__path, id__query, ids)"},
		{"idz", "idz: unknown argument; did you mean ids? (allowed: id__path, id__query, ids)"},
	} {
		v := violation{unknown: tc.word, known: []string{"id__path", "id__query", "ids"}}
		if got := v.explainUnknown(&schema{}, true); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
}
