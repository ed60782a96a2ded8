package gofunc

import (
	"go/ast"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// group makes the comment group of a text without the slashes.
func group(text string) *ast.CommentGroup {
	g := &ast.CommentGroup{}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if line != "" && !strings.HasPrefix(line, "\t") {
			line = " " + line
		}
		g.List = append(g.List, &ast.Comment{Text: "//" + line})
	}
	return g
}

func TestRender(t *testing.T) {
	names := func(name string) bool { return slices.Contains([]string{"a", "b", "in.lines"}, name) }
	for _, c := range []struct {
		name, comment, text string
		params              map[string]string
		deprecated          bool
	}{
		{name: "paragraphs are lines", comment: "F does\nthis.\n\nAnd that.", text: "F does this.\n\nAnd that."},
		{name: "links", comment: "See [Item], [pkg.Item], [RFC] and <https://a.test>.\n\n[RFC]: https://b.test",
			text: "See Item, pkg.Item, RFC (https://b.test) and <https://a.test>."},
		{name: "no Markdown", comment: "It has *stars*, _lines_, <angles>, \"quotes\" and ``more''.",
			text: `It has *stars*, _lines_, <angles>, "quotes" and "more".`},
		{name: "heading", comment: "F does.\n\n# Errors\n\nIt fails.", text: "F does.\n\nErrors:\n\nIt fails."},
		{name: "code", comment: "F does:\n\n\tx := F()\n\t\ty(x)\n\nDone.", text: "F does:\n\n\tx := F()\n\t\ty(x)\n\nDone."},
		{name: "numbered list", comment: "Steps:\n  1. look\n  2. leap", text: "Steps:\n\n1. look\n2. leap"},
		{name: "other list", comment: "It is:\n  - fast: yes\n  - a: no", text: "It is:\n\n- fast: yes\n- a: no"},
		{name: "notes", comment: "F does.\n\nTODO(ann): more.\n\nBUG(bob): less.", text: "F does."},
		{name: "markers", comment: "F does.\n\n+kubebuilder:object:generate=false\n\nMore.", text: "F does.\n\nMore."},
		{name: "deprecated", comment: "F does.\n\nDeprecated: use [G].", text: "F does.\n\nDeprecated: use G.", deprecated: true},
		{name: "directives", comment: "F does.", text: "F does."},

		{name: "list of parameters", comment: "F does.\n\nThe arguments are:\n  - a: first\n    and more\n  - b: second\n\nIt returns.",
			text: "F does.\n\nIt returns.", params: map[string]string{"a": "first and more", "b": "second"}},
		{name: "quoted names and hyphens", comment: "F does.\n\n  - `a`: first\n  - b - second",
			text: "F does.", params: map[string]string{"a": "first", "b": "second"}},
		{name: "field", comment: "F does.\n\n  - in.lines: how many", text: "F does.", params: map[string]string{"in.lines": "how many"}},
		{name: "summary before a list", comment: "F does:\n  - a: first", text: "F does.", params: map[string]string{"a": "first"}},
		{name: "lines with hyphens", comment: "F does the following:\n- a: first\n- b: second",
			text: "F does the following.", params: map[string]string{"a": "first", "b": "second"}},
		{name: "plain lines", comment: "F does.\n\na: first\nb: second", text: "F does.", params: map[string]string{"a": "first", "b": "second"}},
		{name: "indented lines", comment: "F does.\n\n\ta: first\n\tb: second", text: "F does.", params: map[string]string{"a": "first", "b": "second"}},
		{name: "one name is no parameter", comment: "F does.\n\n  - a: first\n  - c: third", text: "F does.\n\n- a: first\n- c: third"},
		{name: "a name twice", comment: "F does.\n\n  - a: first\n  - a: second", text: "F does.\n\n- a: first\n- a: second"},
		{name: "a sentence with a colon", comment: "F does.\n\na: first, and this\ngoes on", text: "F does.\n\na: first, and this goes on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := render(group(c.comment), names)
			if got := p.text(); got != c.text {
				t.Errorf("text\n%q, want\n%q", got, c.text)
			}
			if !maps.Equal(p.params, c.params) {
				t.Errorf("parameters %q, want %q", p.params, c.params)
			}
			if p.deprecated != c.deprecated {
				t.Errorf("deprecated is %t", p.deprecated)
			}
		})
	}
}

func TestShort(t *testing.T) {
	p := prose{blocks: []string{"One two three.", "Four.", "Five six."}}
	for _, c := range []struct {
		limit int
		want  string
		cut   bool
	}{
		{100, "One two three.\n\nFour.\n\nFive six.", false},
		{25, "One two three.\n\nFour.", true},
		{15, "One two three.", true},
		{10, "One two…", true},
		{3, "On…", true},
	} {
		got, cut := p.short(c.limit)
		if got != c.want || cut != c.cut || len([]rune(got)) > c.limit {
			t.Errorf("limit %d: %q, %t, want %q, %t", c.limit, got, cut, c.want, c.cut)
		}
	}
}

func TestSummary(t *testing.T) {
	for text, want := range map[string]string{
		"A b.":                       "A b.",
		"A b. C d.":                  "A b.",
		"Text, e.g. this one. More.": "Text, e.g. this one.",
		"No end":                     "No end",
	} {
		if got := summary(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzRender holds that no comment makes rendering panic, and that no directive
// gets into the text.
func FuzzRender(f *testing.F) {
	f.Add("F does.\n\n  - a: first\n\n# H\n\n\tcode\n\n[R]: https://r.test")
	f.Add("/*")
	f.Add("+x:y\n:\n- a:\n1. \n[")
	f.Fuzz(func(t *testing.T, text string) {
		p := render(group(text), func(name string) bool { return len(name) == 1 })
		p.short(10)
		if strings.HasPrefix(p.text(), "//") && strings.Contains(p.text(), "mcp:tool") && !strings.Contains(text, "//") {
			t.Errorf("%q holds a directive", p.text())
		}
		for name, text := range p.params {
			if len(name) != 1 || text == "" {
				t.Errorf("parameter %q: %q", name, text)
			}
		}
	})
}

func TestSplitArgs(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, ``},
		{`readonly`, `[readonly]`},
		{`name=a title="two words"`, `[name]=[a] [title]=[two words]`},
		{"title=`raw \"text\"`", `[title]=[raw "text"]`},
		{`"title=two words"`, `[title]=[two words]`},
		{`in.limit min=-1`, `[in.limit] [min]=[-1]`},
		{`2 name=b`, `[2] [name]=[b]`},
		{`pattern=^[A-Z]="x"$`, `[pattern]=[^[A-Z]="x"$]`},
		{`a-b`, `[a-b]`},
		{`name=`, `[name]=[]`},
		{`name="a`, `4+: the quote is not closed`},
		{`name="a"b`, `4+: text follows the closing quote`},
	} {
		words, err := splitArgs(c.in)
		var parts []string
		for _, w := range words {
			switch {
			case w.assigned:
				parts = append(parts, "["+w.key+"]=["+w.value+"]")
			default:
				parts = append(parts, "["+w.key+w.value+"]")
			}
		}
		got := strings.Join(parts, " ")
		if err != nil {
			got = "4+: " + err.message
			if err.offset < 4 {
				t.Errorf("%s: offset %d", c.in, err.offset)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
}

// FuzzSplitArgs holds that every word lies where its offset says.
func FuzzSplitArgs(f *testing.F) {
	f.Add(`name=a title="two words" 2 "k=v w"`)
	f.Add("x=`")
	f.Fuzz(func(t *testing.T, s string) {
		words, err := splitArgs(s)
		if err != nil && (err.offset < 0 || err.offset > len(s)) {
			t.Errorf("offset %d of an error in %q", err.offset, s)
		}
		last := -1
		for _, w := range words {
			if w.offset <= last || w.offset >= len(s) || isSpace(s[w.offset]) {
				t.Errorf("%+v in %q", w, s)
			}
			last = w.offset
		}
	})
}

func TestLowerFirst(t *testing.T) {
	for name, want := range map[string]string{"DBConn": "dbConn", "Store": "store", "ID": "id", "x": "x", "URL2": "url2"} {
		if got := lowerFirst(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestSchemaTag(t *testing.T) {
	for _, c := range []struct{ tag, want string }{
		{`jsonschema:"key of the project, e.g. OPS"`, `desc=key of the project, e.g. OPS`},
		{`jsonschema:"required for everyone"`, `desc=required for everyone`},
		{`jsonschema:"required"`, `required=true`},
		{`jsonschema:"required,minimum=1,maximum=5"`, `required=true min=1 max=5`},
		{`jsonschema:"enum=a,enum=b,description=one\\, or two"`, `enum=a enum=b desc=one, or two`},
		{`jsonschema:"title=T,format=email"`, `format=email`},
		{`jsonschema:"minimum=low"`, ``},
		{`description:"text" doc:"other"`, `desc=text`},
		{`jsonschema_description:"text" jsonschema:"minLength=1"`, `minLength=1 desc=text`},
		{`json:"x"`, ``},
	} {
		var parts []string
		for _, r := range schemaTag(reflect.StructTag(c.tag), diag.Pos{}) {
			parts = append(parts, r.key+"="+r.value)
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.tag, got, c.want)
		}
	}
}
