package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) *File {
	t.Helper()
	f := &File{Name: "in.yaml", Location: "/in.yaml"}
	if err := Parse(f, []byte(text)); err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return f
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"json keeps order and numbers", `{"b": 1.10, "a": [9223372036854775807, -0, 1e400]}`, `{"b":1.10,"a":[9223372036854775807,-0,1e400]}`},
		{"yaml keeps order and numbers", "b: 1.10\na: [9223372036854775807, -0, 1e400]", `{"b":1.10,"a":[9223372036854775807,-0,1e400]}`},
		{"beyond 64 bits", "a: 123456789012345678901234567890", `{"a":123456789012345678901234567890}`},
		{"yaml number forms", "[+1, .5, 5., -.5, 1_000, 0x1F, 0o17, 0777, 089, 0b11, 1.e3, -0x10]", `[1,0.5,5,-0.5,1000,31,15,511,89,3,1e3,-16]`},
		{"keys that are no strings", "200: a\ntrue: b\n1.0: c\n2020-01-01: d", `{"200":"a","true":"b","1.0":"c","2020-01-01":"d"}`},
		{"yaml 1.2 booleans", "[on, off, yes, no, y, n, true, False, TRUE]", `["on","off","yes","no","y","n",true,false,true]`},
		{"nulls", "[~, null, Null, NULL, '', \"null\"]\n", `[null,null,null,null,"","null"]`},
		{"empty value", "a:\nb: ''", `{"a":null,"b":""}`},
		{"dates are text", "[2020-01-01, 2020-01-01T00:00:00Z]", `["2020-01-01","2020-01-01T00:00:00Z"]`},
		{"byte order mark, json", "\ufeff{\"a\":1}", `{"a":1}`},
		{"byte order mark, yaml", "\ufeffa: 1", `{"a":1}`},
		{"carriage returns", "a: 1\r\nb:\r\n  - x\r\n", `{"a":1,"b":["x"]}`},
		{"tab-indented json", "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}", `{"a":{"b":1}}`},
		{"json with a trailing comma", `{"a": 1,}`, `{"a":1}`},
		{"flow mapping", `{openapi: 3.0.3, info: {title: T}}`, `{"openapi":"3.0.3","info":{"title":"T"}}`},
		{"json escapes", `["\u00e9\ud83d\ude00\ud83d\n\"\\\/\u0000"]`, "[\"é😀\ufffd\\n\\\"\\\\/\\u0000\"]"},
		{"json is not html", `["<a href='x'>&"]`, "[\"<a href='x'>&\"]"},
		{"what nobody sees is escaped", `["\u2028\u202e\u007f\u009b\u200b\udb40\udc41é"]`, `["\u2028\u202e\u007f\u009b\u200b\udb40\udc41é"]`},
		{"aliases", "a: &x {b: 1}\nc: *x", `{"a":{"b":1},"c":{"b":1}}`},
		{"alias as key", "a: &x k\n*x : 1", `{"a":"k","k":1}`},
		{"merge key", "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", `{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}`},
		{"merge list, earlier wins", "a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne: {<<: [*x, *y]}", `{"a":{"b":1},"c":{"b":2,"d":3},"e":{"b":1,"d":3}}`},
		{"quoted merge key is a key", "'<<': 1", `{"<<":1}`},
		{"string tag", "a: !!str 12\nb: !custom x", `{"a":"12","b":"x"}`},
		{"block text", "a: |\n  x\n  y\nb: >-\n  p\n  q", `{"a":"x\ny\n","b":"p q"}`},
		{"empty", "", `null`},
		{"only comments", "# nothing\n", `null`},
		{"scalar", "just text", `"just text"`},
		{"second document, empty", "a: 1\n---\n", `{"a":1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := parse(t, test.in)
			got := string(AppendJSON(nil, f.Root))
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if !json.Valid([]byte(got)) {
				t.Error("not JSON")
			}
			if len(f.Warnings) > 0 {
				t.Errorf("unexpected warnings: %v", f.Warnings)
			}
		})
	}
}

func TestParseKeepsText(t *testing.T) {
	f := parse(t, "zip: 01234\nversion: 1.0\nbig: 1_000")
	for key, want := range map[string]string{"zip": "01234", "version": "1.0", "big": "1_000"} {
		if n := f.Root.Get(key); n.Kind != Number || n.Text() != want {
			t.Errorf("%s: %v %q, want number %q", key, n.Kind, n.Text(), want)
		}
	}
}

func TestParseWarnings(t *testing.T) {
	for _, test := range []struct{ name, in, json, want string }{
		{"second document", "a: 1\n---\nb: 2", `{"a":1}`, "in.yaml:3:1: warning: only the first YAML document of the file is read [second-document]"},
		{"infinity", "a:\n  maximum: .inf", `{"a":{"maximum":null}}`, "in.yaml:2:12: warning: .inf has no JSON form and is read as null [number-not-finite]"},
		{"not a number", "[-.INF, .NaN]", `[null,null]`, "in.yaml:1:2: warning: -.INF has no JSON form and is read as null [number-not-finite]\nin.yaml:1:9: warning: .NaN has no JSON form and is read as null [number-not-finite]"},
		{"latin-1", "{\"a\": \"caf\xe9\"}", "{\"a\":\"caf\ufffd\"}", "in.yaml: warning: the file is not UTF-8; what is not was replaced by U+FFFD [invalid-utf8]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := parse(t, test.in)
			var got []string
			for _, w := range f.Warnings {
				got = append(got, w.String())
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "\n")); diff != "" {
				t.Error(diff)
			}
			if got := string(AppendJSON(nil, f.Root)); got != test.json {
				t.Errorf("got %s, want %s", got, test.json)
			}
		})
	}
}

// laughs is a text of a few lines that stands for 10^9 nodes.
func laughs() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return b.String()
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"duplicate key, json", "{\"a\": 1,\n \"b\": {\"x\": 1,\n  \"x\": 2}}", `in.yaml:3:3: key "x" stands twice in one mapping: on line 2 and on line 3`},
		{"duplicate key, on one line", `{"a":1,"b":2,"a":3}`, `in.yaml:1:14: key "a" stands twice in one mapping: on line 1 at columns 2 and 14`},
		{"NUL", "a: é\nb: é\x00", `in.yaml:2:6: YAML: control characters are not allowed (value: 0)`},
		{"escape character", "\x1b[1m", `in.yaml:1:1: YAML: control characters are not allowed (value: 27)`},
		{"duplicate key, yaml", "a: 1\nb: 2\na: 3", `in.yaml:3:1: key "a" stands twice in one mapping: on line 1 and on line 3`},
		{"duplicate key after folding to text", "200: a\n'200': b", `in.yaml:2:1: key "200" stands twice in one mapping: on line 1 and on line 2`},
		{"duplicate key in a large mapping", strings.Repeat("k%d: 1\n", 40) + "k7: 2", `in.yaml:41:1: key "k7" stands twice in one mapping: on line 8 and on line 41`},
		{"null key", "a:\n  ~: 1", `in.yaml:2:3: YAML: a mapping has no key here`},
		{"empty key", "a:\n  : 1", `in.yaml:2:3: YAML: a mapping has no key here`},
		{"mapping as key", "? {a: 1}\n: 2", `in.yaml:1:3: YAML: a key must be text, not a list or a mapping`},
		{"billion laughs", laughs(), `in.yaml:6:45: YAML: aliases make the document larger than 1000000 nodes`},
		{"alias inside its anchor", "a: &x\n  b: *x", `in.yaml:2:6: YAML: anchor "x" stands inside itself`},
		{"merge of text", "a: {<<: text}", `in.yaml:1:9: YAML: a merge key needs a mapping or a list of mappings`},
		{"json ends early", "{\"a\": [1,\n  2", `in.yaml:2:4: JSON: the text ends in the middle`},
		{"json, bad word", `{"a": tru}x`, `in.yaml:1:7: JSON: invalid character '}' in literal true (expecting 'e')`},
		{"json, two values", `{"a": 1}{"b": 2}`, `in.yaml:1:9: JSON: text after the end of the value`},
		{"indented less than the mapping it belongs to", "a:\n    b: 1\n    c: 2\n  d: 3\n", `in.yaml:4:3: YAML: while parsing a block mapping begun on line 1: did not find expected key`},
		{"indented more than the mapping it belongs to", "a:\n  b: [1]\n   c: 2\n", `in.yaml:3:4: YAML: while parsing a block mapping begun on line 2: did not find expected key`},
		{"quotation mark missing", "a: 'b\nc: d\n", `in.yaml:3:1: YAML: while scanning a quoted scalar begun on line 1: found unexpected end of stream`},
		{"list without an end", "a: [1, 2\nb: 3", `in.yaml:2:2: YAML: while parsing a flow sequence begun on line 1: did not find expected ',' or ']'`},
		{"begun on the line of the mistake", "a: [1, 2}", `in.yaml:1:9: YAML: while parsing a flow sequence: did not find expected ',' or ']'`},
		{"tab before a key", "a:\n\tb: 1", `in.yaml:2:1: YAML: indentation may not hold tabs`},
		{"tab before the first key", "\ta: 1", `in.yaml:1:1: YAML: indentation may not hold tabs`},
		{"tab behind spaces", "a:\r\n  b: é\r\n \tc: 1", `in.yaml:3:2: YAML: indentation may not hold tabs`},
		{"tab behind the dash of a list", "a:\n  -\tb: 1", `in.yaml:2:4: YAML: indentation may not hold tabs`},
		{"tab in a block of text", "a: |\n\tb", `in.yaml:2:1: YAML: indentation may not hold tabs`},
		{"tab far from what cannot start a token", "a:\tb\nb:\t@c", `in.yaml:2:4: YAML: while scanning for the next token: found character that cannot start any token`},
		{"column counts bytes", "é: é\né: \"é\" x", `in.yaml:2:10: YAML: while parsing a block mapping begun on line 1: did not find expected key`},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := test.in
			if strings.Contains(in, "%d") {
				for i := range 40 {
					in = strings.Replace(in, "%d", fmt.Sprint(i), 1)
				}
			}
			f := &File{Name: "in.yaml"}
			err := Parse(f, []byte(in))
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("no *SyntaxError: %v, root %s", err, AppendJSON(nil, f.Root))
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
			if syntax.Hint == "" {
				t.Error("no hint")
			}
		})
	}
}

func TestParseRefusesControlCharacters(t *testing.T) {
	for name, in := range map[string]string{
		"NUL in yaml": "a: x\x00y", "NUL in json": "{\"a\": \"x\x00y\"}", "nested json": strings.Repeat("[", 20000),
		"nested yaml": strings.Repeat("- ", 20000) + "x",
	} {
		if err := Parse(&File{Name: "in"}, []byte(in)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestPositions(t *testing.T) {
	yaml := parse(t, "ä: {ö: 1, ü: [x, é, y]}\nlist:\n  - a: &n {k: v}\n  - *n\n").Root
	json := parse(t, "{\"ä\": {\"ö\": 1,\r\n  \"ü\": [true, \"é\", -1]}}").Root
	for _, test := range []struct {
		name, want string
		n          *Node
	}{
		{"yaml key", "in.yaml:1:1", yaml.Key("ä")},
		{"yaml value behind two bytes", "in.yaml:1:5", yaml.Get("ä")},
		{"yaml item", "in.yaml:1:25", yaml.Get("ä").Get("ü").List()[2]},
		{"yaml item after others", "in.yaml:3:5", yaml.Get("list").List()[0]},
		{"alias has the place of its anchor", "in.yaml:3:8", yaml.Get("list").List()[1]},
		{"json key", "in.yaml:2:3", json.Get("ä").Key("ü")},
		{"json item", "in.yaml:2:22", json.Get("ä").Get("ü").List()[2]},
	} {
		if got := test.n.Pos().String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, -2.5e3, "x\u00e9", null, true]}`, "a: &x {b: [1, .5]}\nc: *x\n", "a: 1\n---\nb: 2", "? [a]\n: b",
		laughs()[:60], "\ufeffa: 1\r\n", "<<: {a: 1}", "a: &a [*a]", "%YAML 1.2\n---\na: !!int '0x1_F'\n", "- - - 1\n- |\n  x",
		"\xff\xfea\x00:\x00 \x001\x00", "a: .inf\nb: 0o17\nc: 0777", "{a: 1,}", "é: [ü, {ö: 1}]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := &File{Name: "in"}
		if err := Parse(file, []byte(text)); err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		out := AppendJSON(nil, file.Root)
		if !json.Valid(out) {
			t.Fatalf("not JSON: %s", out)
		}
		again := &File{Name: "again"}
		if err := Parse(again, out); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		if second := AppendJSON(nil, again.Root); string(second) != string(out) {
			t.Fatalf("not stable:\n%s\n%s", out, second)
		}
	})
}

// FuzzJSON compares our JSON reader with encoding/json.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a": [1, -2.5e3, "\ud83d\ude00\u00e9", null, true]}`, "[0.1,\n-0e+1]", `"\/"`, `{"a":1,"a":2}`, "\"\u0085\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		valid := json.Valid([]byte(text))
		file := &File{}
		err := parseJSON(file, []byte(text))
		if err != nil {
			if valid && err.Code == codeSyntax && !strings.Contains(err.Message, "deep") {
				t.Fatalf("valid JSON is refused: %v", err)
			}
			return
		}
		if !valid {
			t.Fatalf("accepted what is not JSON: %q", text)
		}
		if err := d.Decode(&want); err != nil {
			return // nested too deeply for encoding/json
		}
		var got any
		g := json.NewDecoder(strings.NewReader(string(AppendJSON(nil, file.Root))))
		g.UseNumber()
		if err := g.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
