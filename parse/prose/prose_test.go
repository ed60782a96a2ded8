package prose

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text stays", "Finds one pet.\nReally.", "Finds one pet.\nReally."},
		{"P116: hostile text stays", "line1\r\nfunc init(){panic(5)}\u2028var Y = 2", "line1\nfunc init(){panic(5)}\u2028var Y = 2"},
		{"P116: backticks stay", "s` + string(panic(4)) + `", "s` + string(panic(4)) + `"},
		{"comment openers stay", "*/ ok /*", "*/ ok /*"},
		{"placeholders stay", "Send <id> & a < b > c, x_y_z and 2 * 3 * 4.", "Send <id> & a < b > c, x_y_z and 2 * 3 * 4."},
		{"emphasis", "**Note:** __very much__ so; ***both***, (**a**), **注意**です; snake__case__name.", "Note: very much so; both, (a), 注意です; snake__case__name."},
		{"no emphasis", "__all__, a**b**c, 2 ** 3 ** 4, src/**/x/**/y, **kw and **opts", "__all__, a**b**c, 2 ** 3 ** 4, src/**/x/**/y, **kw and **opts"},
		{"emphasis over two lines", "a **b\nc** d", "a b\nc d"},
		{"emphasis ends with its paragraph", "a **b\n\nc** d", "a **b\n\nc** d"},
		{"code keeps its stars", "Use `**kw**` and **bold**.", "Use `**kw**` and bold."},
		{"code is as written", "`^<b>(.*)</b>$`, `<table>`, `map[string][]string`, ``a ` **b**``, `&lt;`", "`^<b>(.*)</b>$`, `<table>`, `map[string][]string`, ``a ` **b**``, `&lt;`"},
		{"backticks that nothing closes", "a `` **b** and `c`", "a `` b and `c`"},
		{"code over two lines", "`204\n[a](x.test/b)`", "`204\n[a](x.test/b)`"},
		{"links", "See [the docs](https://x.test/a_(b)), [`b`](#op/b \"B\") and [two\nlines](/x).", "See the docs, `b` and two\nlines."},
		{"no links", "map[string][]string, x[i](y), ^[a-z](.*)$, [0](1), [a][b] and [c]", "map[string][]string, x[i](y), ^[a-z](.*)$, [0](1), [a][b] and [c]"},
		{"links to definitions", "[A][1], [b][], [C].\n\n[1]: https://x.test\n[B]: /b \"B\"\n[c]: <#c>", "A, b, C."},
		{"images", "![logo](x.png) Welcome", "Welcome"},
		{"headings", "# Title\n\n## Part ##\ntext", "Title\n\nPart\ntext"},
		{"html", "<p>One &amp; <b>two</b></p><ul><li>a</li><li>b</li></ul>", "One & two\n- a\n- b"},
		{"html comment", "a<!-- hidden\nnote -->b", "ab"},
		{"html break", "a<br/>b<BR>c", "a\nb\nc"},
		{"html comment over lines", "a\n<!-- hidden\n\n```\nnote\n```\n--> b", "a\n b"},
		{"html code", "<code>a**b** &lt;i&gt; __x y__</code>\n<pre>\n| a |\n  # b\n</pre>", "a**b** <i> __x y__\n| a |\n  # b"},
		{"html table", "<table><tr><th>n</th><th>means</th></tr><tr><td>1</td><td>queued</td></tr></table>", "n | means\n1 | queued"},
		{"elements that nothing closes are placeholders", "DELETE FROM <table>, /<a>/<b>", "DELETE FROM <table>, /<a>/<b>"},
		{"entities need their semicolon", "?a=1&copy=2 &amp; &#65; &lt;br&gt; &nothing;", "?a=1&copy=2 & A <br> &nothing;"},
		{"fence", "In the form:\n\n```json\n{\"a\": [\"<b>\"]}\n\n\n# **x**\n```\n\nAfter", "In the form:\n```json\n{\"a\": [\"<b>\"]}\n\n\n# **x**\n```\nAfter"},
		{"a definition in a fence", "```\n[a]: b\n```\n[a]: c", "```\n[a]: b\n```"},
		{"fence in a fence", "~~~\n```\n<p>\n```\n~~~\n<p>a", "~~~\n```\n<p>\n```\n~~~\na"},
		{"fence of eleven lines", "Before\n```" + strings.Repeat("\na", 11) + "\n```\nAfter", "Before\nAfter"},
		{"fence of ten lines", "```" + strings.Repeat("\na", 10) + "\n```", "```" + strings.Repeat("\na", 10) + "\n```"},
		{"fence of 501 characters", "```\n" + strings.Repeat("ä", 501) + "\n```", ""},
		{"inline triple backticks are no fence", "```x``` stays", "```x``` stays"},
		{"unclosed fence", "Before\n~~~\n**kept**", "Before\n~~~\n**kept**"},
		{"quote and alert", "> [!NOTE]\n> Mind the gap.", "Mind the gap."},
		{"table", "| a | b |\n|---|:-:|\n| 1 | 2 |", "a | b\n\n1 | 2"},
		{"code in a table", "| `a|b` | c \\| d |", "`a|b` | c | d"},
		{"rule", "a\n\n---\n\nb", "a\n\nb"},
		{"escapes", `snake\_case \*star\*`, "snake_case *star*"},
		{"list", "- one\n* two", "- one\n* two"},
		{"space around", " \n a \n", "a"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Plain(tt.in); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		name, in string
		limit    int
		want     string
	}{
		{"fits", "abc", 3, "abc"},
		{"at a sentence", "First one. Second one that is long.", 20, "First one. …"},
		{"not at an abbreviation", "First one. Second, e.g. this one", 28, "First one. Second, e.g.…"},
		{"a sentence that is too early", "Hi. Then a long tail of words follows", 20, "Hi. Then a long…"},
		{"at a word", "alpha beta gamma delta", 14, "alpha beta…"},
		{"anywhere", strings.Repeat("x", 30), 10, strings.Repeat("x", 8) + "…"},
		{"by runes", strings.Repeat("日本", 10), 10, strings.Repeat("日本", 4) + "…"},
		{"a full stop in Japanese", "日本語です。日本語のテキスト", 10, "日本語です。 …"},
		{"no room", "abc", 1, "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Cut(tt.in, tt.limit)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if utf8.RuneCountInString(got) > tt.limit {
				t.Errorf("%d runes, limit %d", utf8.RuneCountInString(got), tt.limit)
			}
		})
	}
}

// TestLong reads texts that would take minutes if each mark were sought through
// the whole of what follows it.
func TestLong(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s, 200_000) }
	var unclosed strings.Builder
	for n := range 400 {
		unclosed.WriteString(strings.Repeat("[", maxSpan) + strings.Repeat("`", n+1))
	}
	for _, tt := range []struct{ name, in, want string }{
		{"asterisks", "a" + many("*"), "a" + many("*")},
		{"comments that nothing closes", many("<!--\n"), strings.TrimSpace(many("<!--\n"))},
		{"code that nothing closes", "</pre>\n" + many("<pre\n"), strings.TrimSpace(many("<pre\n"))},
		{"cells after space", "a\n" + many(" ") + many("<td>") + "b</td>", "a\n" + many(" ") + "b"},
		{"brackets before code spans that nothing closes", unclosed.String(), unclosed.String()},
		{"stops without space", many("a.b"), many("a.b")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Plain(tt.in); got != tt.want {
				t.Errorf("got %d bytes, want %d", len(got), len(tt.want))
			}
			if got := Sentence(tt.want); !strings.HasPrefix(tt.want, got) || got == "" {
				t.Errorf("the first sentence has %d bytes", len(got))
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a **b** [c](d)", "<p>x</p>", "```\ny", "<pre>\n<code>x", "<!--", "a `b", "[a]: b\n[a][]", "<td>&lt;", "> > |a|b|", "\\_ 日本。", "__a__", "[", "!["} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		p := Plain(s)
		if utf8.ValidString(s) && !utf8.ValidString(p) {
			t.Errorf("Plain(%q) = %q", s, p)
		}
		limit = min(max(limit, 2), 2000)
		if got := Cut(p, limit); utf8.RuneCountInString(got) > limit || utf8.ValidString(p) && !utf8.ValidString(got) {
			t.Errorf("Cut(%q, %d) = %q", p, limit, got)
		}
	})
}
