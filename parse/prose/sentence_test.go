package prose

import "testing"

func TestSentence(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"One. Two.", "One."},
		{"One", "One"},
		{"One\ntwo. Three", "One"},
		{"v1.2 is meant. Not v1.3.", "v1.2 is meant."},
		{"Really? Yes.", "Really?"},
		{"Stop! Now.", "Stop!"},
		{"Give it a name (e.g. rex) or none. More.", "Give it a name (e.g. rex) or none."},
		{"A name, e.g. rex, i.e. a text. More.", "A name, e.g. rex, i.e. a text."},
		{"Speed vs. cost, cf. E.g. the table. More.", "Speed vs. cost, cf. E.g. the table."},
		{"Cats, dogs, etc. are pets. More.", "Cats, dogs, etc. are pets."},
		{"Cats, dogs, etc. More.", "Cats, dogs, etc."},
		{"A list (of pets. All of them.) that is long. More.", "A list (of pets. All of them.) that is long."},
		{"An open ( bracket. More.", "An open ( bracket."},
		{"Like `a. b` in code. More.", "Like `a. b` in code."},
		{"a != b and a ? b : c. More.", "a != b and a ? b : c."},
		{"1. Wash the pet. 2. Dry it.", "1. Wash the pet."},
		{"At most 10. Then more.", "At most 10."},
		{"在庫の一覧。倉庫ごと。", "在庫の一覧。"},
		{"Found in the U.S. only. More.", "Found in the U.S. only."},
	} {
		if got := Sentence(test.text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}
