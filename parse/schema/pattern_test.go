package schema

import "testing"

// TestECMAPattern holds which patterns clients that read them with the flag u
// accept; empty want is as written, a dash is refused.
func TestECMAPattern(t *testing.T) {
	for _, test := range []struct{ pattern, want string }{
		{`^(?!-)[a-z0-9-]{1,63}(?<!-)$`, ""}, {`^[a-z]{1,4000}$`, ""}, {``, ""}, {`a|b|`, ""}, {`^\d+\.\d{2,}?$`, ""},
		{`(?<y>\d{4})-\k<y>`, ""}, {`(a)(?:b)\1`, ""}, {`[^]`, ""}, {`[]`, ""}, {`[\b\-\]\\^.-]`, ""}, {`[+--]`, ""}, {`[a-z-9]`, ""},
		{`\p{L}\P{Lu}\p{Script=Greek}\p{sc=Han}\p{Letter}\p{Alphabetic}`, ""}, {`\u00e9\u{1F600}\x20\cA\0\t\/`, ""}, {`^[\t-a\x00-\x1f]$`, ""}, {`é{2}`, ""},
		{`(?:(?=a)b)*`, ""},
		{`\p{punct}\p{Upper}\p{Any}\p{sc=Latn}\p{gc=Decimal_Number}`, ""}, {`[\+-\.\0-\x1f\cA-\cZ\ud83d\ude00-a]`, ""},

		{`\A[a-z]+\z`, `^[a-z]+$`}, {`^a\Z`, `^a$`}, {`(?P<n>a)(?P=n)`, `(?<n>a)\k<n>`},
		{`\x{1F600}`, `\u{1F600}`}, {`\a\e`, `\x07\x1b`}, {`\pL\PN`, `\p{L}\P{N}`}, {`\p{Greek}`, `\p{Script=Greek}`},
		{`[\w-.]`, `[\w\-.]`}, {`[.-\w]`, `[.\-\w]`}, {`\-\_\@\ \"`, `-_@ "`}, {`[\@\#]`, `[@#]`},
		{`^{a}$`, `^\{a\}$`}, {`a{b}`, `a\{b\}`}, {`a]`, `a\]`}, {`{`, `\{`}, {`}{2}`, `\}{2}`}, {`{{{{`, `\{\{\{\{`},

		{`^[a-z`, "-"}, {`(a`, "-"}, {`a)`, "-"}, {`*a`, "-"}, {`a**`, "-"}, {`a++`, "-"}, {`a{2}{3}`, "-"}, {`(?=a)*`, "-"}, {`^*`, "-"}, {`\b+`, "-"}, {`(*)`, "-"},
		{`a{3,2}`, "-"}, {`a{,3}`, "-"}, {`\h`, "-"}, {`\Qa\E`, "-"}, {`\G`, "-"}, {`\y`, "-"}, {`\01`, "-"}, {`[\1]`, "-"}, {`(a)\2`, "-"}, {`\k<n>`, "-"}, {`\k`, "-"}, {`\`, "-"},
		{`(?i)a`, "-"}, {`(?i:a)`, "-"}, {`(?>a)`, "-"}, {`(?#a)`, "-"}, {`(?<1>a)`, "-"}, {`(?<a>b)(?<a>c)`, "-"}, {`(?P>a)`, "-"}, {`(?<a`, "-"}, {`(?`, "-"},
		{`[[:alpha:]]`, "-"}, {`[^[:space:]]+`, "-"}, {`[]a]`, "-"}, {`[z-a]`, "-"}, {`[\B]`, "-"}, {`[\A]`, "-"},
		{`\p{IsGreek}`, "-"}, {`\p{InGreek}`, "-"}, {`\p{Alnum}`, "-"}, {`\p{}`, "-"}, {`\p`, "-"}, {`\p{^L}`, "-"}, {`\x1`, "-"}, {`\u12`, "-"}, {`\u{110000}`, "-"}, {`\x{}`, "-"}, {`\c1`, "-"},
		{`\p{Block=Greek}`, "-"}, {`\p{javaLetter}`, "-"}, {`\p{lower}`, "-"}, {`\pX`, "-"}, {`\p{Latn}`, "-"}, {`\p{Script=latin}`, "-"}, {`\p{Script}`, "-"}, {`\p{gc=Greek}`, "-"},
		{`[\x30-\x20]`, "-"}, {`[\.-\+]`, "-"}, {`[a-\u{40}]`, "-"},
	} {
		want := test.want
		if want == "" {
			want = test.pattern
		}
		switch got, err := ecmaPattern(test.pattern); {
		case want == "-" && err == nil:
			t.Errorf("%s is accepted as %s", test.pattern, got)
		case want != "-" && (err != nil || got != want):
			t.Errorf("%s: got %s, %v, want %s", test.pattern, got, err, want)
		}
	}
}

func TestPatterns(t *testing.T) { runAll(t, patternCases) }

var patternCases = []conversionCase{
	{name: "pattern that clients refuse", x: `{type: string, pattern: '^[a-z'}`, want: `{"type":"string","description":"Pattern: ^[a-z"}`, valid: `"a"`},
	{name: "pattern beside a description", x: `{type: string, description: d, pattern: '(?i)a', maxLength: 2}`,
		want: `{"type":"string","description":"d\nPattern: (?i)a","maxLength":2}`},
	{name: "pattern behind a reference", x: `{$ref: '#/components/schemas/P'}`, schemas: `{P: {type: string, pattern: '\h'}}`,
		want: `{"type":"string","description":"Pattern: \\h"}`},
	{name: "pattern in another way of writing", x: `{type: string, pattern: '\A[\w-.]+\Z'}`, want: `{"type":"string","pattern":"^[\\w\\-.]+$"}`,
		valid: `"a-b.c"`, invalid: `"a b"`},
	{name: "variants by such patterns", x: `{oneOf: [{type: string, pattern: '(?i)a'}, {type: string, pattern: '(?i)b'}]}`,
		want:  `{"anyOf":[{"type":"string","description":"Pattern: (?i)a"},{"type":"string","description":"Pattern: (?i)b"}]}`,
		valid: `"a"`},
	{name: "names that clients refuse", dialect: "3.1", x: `{type: object, patternProperties: {'(?i)^x': {type: string}, '\A_': {type: integer}}, additionalProperties: false}`,
		want:  `{"type":"object","description":"Pattern of names: (?i)^x","patternProperties":{"^_":{"type":"integer"}}}`,
		valid: `{"X":"a","_":1}`, invalid: `{"_":"a"}`},
}
