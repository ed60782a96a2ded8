package gofunc

import (
	"fmt"
	"go/ast"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// directive is one //mcp: line.
type directive struct {
	verb *verb
	pos  diag.Pos // of the "//"
	raw  string   // everything after the verb, for verbs that take it as it is
	// target is the positional argument: what //mcp:param and //mcp:result are
	// about.
	target arg
	args   []arg
}

// arg is one key=value of a directive or of a struct tag.
type arg struct {
	key   string
	value string
	pos   diag.Pos
}

// annotations are the directives of one declaration, in the order written.
type annotations []*directive

// has reports whether a directive of the verb is there.
func (as annotations) has(verb string) bool { return as.first(verb) != nil }

func (as annotations) first(verb string) *directive {
	for _, d := range as {
		if d.verb.name == verb {
			return d
		}
	}
	return nil
}

// all returns the directives of the verb.
func (as annotations) all(verb string) []*directive {
	var out []*directive
	for _, d := range as {
		if d.verb.name == verb {
			out = append(out, d)
		}
	}
	return out
}

// get returns the value that lines of the verb give a key.
func (as annotations) get(verb, key string) (arg, bool) {
	for _, d := range as.all(verb) {
		for _, a := range d.args {
			if a.key == key {
				return a, true
			}
		}
	}
	return arg{}, false
}

func (as annotations) text(verb, key string) string {
	a, _ := as.get(verb, key)
	return a.value
}

// texts returns all values that lines of the verb give a key.
func (as annotations) texts(verb, key string) []string {
	var out []string
	for _, d := range as.all(verb) {
		for _, a := range d.args {
			if a.key == key {
				out = append(out, a.value)
			}
		}
	}
	return out
}

// flag reports whether a key is given and not false.
func (as annotations) flag(verb, key string) bool { return as.text(verb, key) == "true" }

// number returns the value of a count, 0 when it is not given.
func (as annotations) number(verb, key string) int {
	n, _ := strconv.Atoi(as.text(verb, key))
	return n
}

// directiveReader turns comment lines into directives.
type directiveReader struct {
	positions
	diags *diag.List
}

// lookalike finds what was meant as a directive and is none: a space after the
// slashes, capitals, another sign than the colon.
var lookalike = regexp.MustCompile(`^//\s*\+?\s*(?i:mcp)\s*[:-]\s*([A-Za-z]+)(\s|$)`)

// read parses one comment line. It returns nil for what is no directive of ours
// and for what it has reported.
func (r directiveReader) read(c *ast.Comment) *directive {
	found, ok := ast.ParseDirective(c.Slash, c.Text)
	if !ok || found.Tool != "mcp" {
		r.checkLookalike(c)
		return nil
	}
	d := &directive{pos: r.pos(c.Slash), raw: found.Args}
	d.verb = verbNamed(found.Name)
	if d.verb == nil {
		at := d.pos
		at.Col += len("//mcp:")
		r.diags.Error(at, "unknown-directive", suggestion(found.Name, verbNames(), "the directives are //mcp:%s"),
			"there is no directive //mcp:%s", found.Name)
		return nil
	}
	if d.verb.raw != nil {
		if why := d.verb.raw(found.Args); why != "" {
			r.diags.Error(r.pos(found.ArgsPos), "bad-directive", "write //mcp:"+d.verb.name+" "+d.verb.rest, "//mcp:%s %s", d.verb.name, why)
			return nil
		}
		return d
	}
	at := r.pos(found.ArgsPos)
	words, err := splitArgs(found.Args)
	if err != nil {
		at.Col += err.offset
		r.diags.Error(at, "bad-directive", `quote text as in Go: key="two words"`, "//mcp:%s: %s", d.verb.name, err.message)
		return nil
	}
	ok = true
	for _, w := range words {
		pos := at
		pos.Col += w.offset
		ok = r.argument(d, w, pos) && ok
	}
	if !ok {
		return nil
	}
	if d.verb.target != "" && d.target.value == "" {
		r.diags.Error(d.pos, "bad-directive", "write //mcp:"+d.verb.name+" "+d.verb.target+" …",
			"//mcp:%s does not say what it is about", d.verb.name)
		return nil
	}
	return d
}

func (r directiveReader) checkLookalike(c *ast.Comment) {
	m := lookalike.FindStringSubmatch(c.Text)
	if m == nil {
		return
	}
	verb := diag.Nearest(m[1], verbNames())
	if verb == "" {
		return
	}
	r.diags.Error(r.pos(c.Slash), "bad-directive", "write //mcp:"+verb,
		"%q is ordinary text: a directive has no space after the slashes and reads //mcp:%s", strings.TrimSpace(m[0]), verb)
}

// argument adds one word to the directive.
func (r directiveReader) argument(d *directive, w word, pos diag.Pos) bool {
	fail := func(hint, format string, args ...any) bool {
		r.diags.Error(pos, "bad-directive", hint, "//mcp:%s: %s", d.verb.name, fmt.Sprintf(format, args...))
		return false
	}
	if w.key == "" || d.verb.target != "" && d.target.value == "" && !w.assigned {
		text := w.value
		if w.key != "" {
			text = w.key
		}
		if d.verb.target == "" || d.target.value != "" {
			return fail(suggestion(text, d.verb.keyNames(), "the keys are %s"), "there is no key %s", text)
		}
		d.target = arg{value: text, pos: pos}
		return true
	}
	key := d.verb.key(w.key)
	if key == nil {
		return fail(suggestion(w.key, d.verb.keyNames(), "the keys are %s"), "there is no key %s", w.key)
	}
	value := w.value
	if !w.assigned {
		if !key.isFlag() {
			return fail(fmt.Sprintf("write %s=%s", key.name, key.sample()), "%s wants a value", key.name)
		}
		value = "true"
	}
	if why := key.check(value); why != "" {
		return fail("", "%s=%s: %s", key.name, value, why)
	}
	if !key.repeat {
		for _, a := range d.args {
			if a.key == key.name {
				return fail("", "%s is given twice", key.name)
			}
		}
	}
	d.args = append(d.args, arg{key: key.name, value: value, pos: pos})
	return true
}

// word is one argument as written: a key, key=value, or a value alone.
type word struct {
	key      string
	assigned bool
	value    string
	offset   int
}

type syntaxError struct {
	offset  int
	message string
}

// splitArgs cuts the arguments of a directive at spaces outside quotes. Beside
// key="two words" it understands the whole quoted "key=two words" of
// [ast.Directive.ParseArgs].
func splitArgs(s string) ([]word, *syntaxError) {
	var words []word
	for i := 0; ; {
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		if i == len(s) {
			return words, nil
		}
		w := word{offset: i}
		end := i
		for end < len(s) && isKeyChar(s[end]) {
			end++
		}
		switch {
		case end > i && end < len(s) && s[end] == '=':
			w.key, w.assigned = s[i:end], true
			i = end + 1
		case end > i && (end == len(s) || isSpace(s[end])) && isLetter(s[i]):
			w.key = s[i:end]
			words = append(words, w)
			i = end
			continue
		}
		value, n, err := scanValue(s[i:])
		if err != "" {
			return nil, &syntaxError{i, err}
		}
		if quotedWhole := !w.assigned && n > 0 && isQuote(s[i]); quotedWhole {
			if key, rest, ok := strings.Cut(value, "="); ok && key != "" && strings.IndexFunc(key, notKeyChar) < 0 {
				w.key, w.assigned, value = key, true, rest
			}
		}
		w.value = value
		words = append(words, w)
		i += n
	}
}

// scanValue reads a bare or quoted value and returns its length in s.
func scanValue(s string) (value string, n int, problem string) {
	if s == "" || !isQuote(s[0]) {
		n = strings.IndexFunc(s, func(c rune) bool { return c < utf8.RuneSelf && isSpace(byte(c)) })
		if n < 0 {
			n = len(s)
		}
		return s[:n], n, ""
	}
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", 0, "the quote is not closed"
	}
	if rest := s[len(quoted):]; rest != "" && !isSpace(rest[0]) {
		return "", 0, "text follows the closing quote"
	}
	value, err = strconv.Unquote(quoted)
	if err != nil {
		return "", 0, "the quoted text is not a Go string"
	}
	return value, len(quoted), ""
}

func isQuote(c byte) bool { return c == '"' || c == '`' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}
func isKeyChar(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || c == '.'
}
func notKeyChar(c rune) bool { return c < utf8.RuneSelf && !isKeyChar(byte(c)) }

// checkDuration says what is wrong with a time limit.
func checkDuration(s string) string {
	d, err := time.ParseDuration(s)
	if err != nil {
		return `write a duration such as "30s" or "1m30s"`
	}
	if d <= 0 {
		return "must be above zero"
	}
	return ""
}
