package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// patternText is the keyword, ours alone, for a pattern that is told in words.
const patternText = "x-toolmill-pattern"

// ecmaPatterns: a pattern is a regular expression of ECMA-262, and clients read
// it with the flag u (JSON Schema 2020-12 core, section 6.4). One that is none
// makes them refuse the schema, some with it all tools: it is told in words.
func ecmaPatterns(c *Converter, n *node.Node) *node.Node {
	if pattern := n.Get("pattern"); pattern != nil {
		switch ecma, err := ecmaPattern(pattern.Value); {
		case err != nil:
			n = n.Without("pattern").With(patternText, pattern)
		case ecma != pattern.Value:
			n = n.With("pattern", node.Str(pattern, ecma))
		}
	}
	names := n.Get("patternProperties")
	if names == nil {
		return n
	}
	var kept []*node.Node
	for name, schema := range names.Pairs() {
		ecma, err := ecmaPattern(name.Value)
		if err != nil {
			c.warnPattern(name, err)
			n = describe(n.Without("additionalProperties", "unevaluatedProperties"), "Pattern of names: "+name.Value)
			continue
		}
		if ecma != name.Value {
			name = node.Str(name, ecma)
		}
		kept = append(kept, name, schema)
	}
	if len(kept) == 0 {
		return n.Without("patternProperties")
	}
	return n.With("patternProperties", node.Map(names, kept...))
}

// tellPattern puts a pattern into words that clients would refuse.
func (v *conversion) tellPattern(level *node.Node) *node.Node {
	pattern := level.Get(patternText)
	if pattern == nil {
		return level
	}
	if _, err := ecmaPattern(pattern.Value); err != nil && !v.patterns[pattern.Value] {
		v.patterns[pattern.Value] = true
		v.warnPattern(pattern, err)
	}
	return describe(level.Without(patternText), "Pattern: "+pattern.Value)
}

func (c *Converter) warnPattern(at *node.Node, err error) {
	c.warn(at, "ecma-pattern", "pattern %q is told in the description alone, as clients would refuse the schema: ECMA-262 does not know %v",
		at.Value, err)
}

// ecmaPattern returns a pattern as ECMA-262 with the flag u has it (section
// 22.2.1, Patterns). What Perl, Python, Go and ECMA-262 without the flag write
// otherwise is translated where that means the same; the error names what cannot
// be.
func ecmaPattern(pattern string) (string, error) {
	s := patternScanner{in: []rune(pattern)}
	for s.at < len(s.in) && s.err == nil {
		s.term()
	}
	switch {
	case s.err != nil:
	case s.open > 0:
		s.fail("a group that is not closed")
	case s.highest > s.groups:
		s.fail("a reference to group %d of %d", s.highest, s.groups)
	default:
		for _, name := range s.referred {
			if !slices.Contains(s.names, name) {
				s.fail("a reference to group %q, which is not there", name)
			}
		}
	}
	return s.out.String(), s.err
}

// patternScanner reads a pattern term by term.
type patternScanner struct {
	in  []rune
	at  int
	out strings.Builder
	err error

	repeatable bool   // the last term may be quantified
	open       int    // groups around
	plain      []bool // of those, whether they may be quantified
	groups     int    // that capture
	highest    int    // number referred to
	names      []string
	referred   []string
	empty      bool // a class of nothing was read
}

func (s *patternScanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// next reports whether text follows, and skips it.
func (s *patternScanner) next(text string) bool {
	if !strings.HasPrefix(string(s.in[s.at:min(len(s.in), s.at+len(text))]), text) {
		return false
	}
	s.at += len(text)
	return true
}

// until returns what stands before end and skips both; false without an end near
// by.
func (s *patternScanner) until(end rune) (string, bool) {
	i := slices.Index(s.in[s.at:min(len(s.in), s.at+128)], end)
	if i < 0 {
		return "", false
	}
	text := string(s.in[s.at : s.at+i])
	s.at += i + 1
	return text, true
}

// write adds a term.
func (s *patternScanner) write(text string, repeatable bool) {
	s.out.WriteString(text)
	s.repeatable = repeatable
}

func (s *patternScanner) term() {
	r := s.in[s.at]
	s.at++
	switch r {
	case '\\':
		s.escape(false)
	case '[':
		s.class()
	case '(':
		s.group()
	case ')':
		if s.open--; s.open < 0 {
			s.fail("a ) without (")
			return
		}
		s.write(")", s.plain[s.open])
		s.plain = s.plain[:s.open]
	case '*', '+', '?':
		s.quantifier(string(r))
	case '{':
		s.brace()
	case '}', ']':
		if r == ']' && s.empty {
			s.fail("a class that begins with ]")
		}
		s.write(`\`+string(r), true)
	case '^', '$', '|':
		s.write(string(r), false)
	default:
		s.write(string(r), true)
	}
}

func (s *patternScanner) quantifier(text string) {
	if !s.repeatable {
		s.fail("%s here, where nothing can be repeated", text)
		return
	}
	if s.next("?") {
		text += "?"
	}
	s.write(text, false)
}

// brace reads what follows {: the rest of a quantifier, else the brace is meant.
func (s *patternScanner) brace() {
	start := s.at
	inside, closed := s.until('}')
	low, high, both := strings.Cut(inside, ",")
	least, err := strconv.ParseUint(low, 10, 32)
	most, highErr := strconv.ParseUint(high, 10, 32)
	switch {
	case closed && low == "" && both && highErr == nil:
		s.fail("{%s}", inside) // Python's {,n}
	case !closed || err != nil || both && high != "" && highErr != nil:
		s.at = start
		s.write(`\{`, true)
	case both && high != "" && most < least:
		s.fail("{%s}, as the first number is the larger", inside)
	default:
		s.quantifier("{" + inside + "}")
	}
}

func (s *patternScanner) group() {
	head := "("
	plain := true
	switch {
	case s.next("?:"):
		head = "(?:"
	case s.next("?="), s.next("?!"):
		head, plain = "(?"+string(s.in[s.at-1]), false
	case s.next("?<="), s.next("?<!"):
		head, plain = "(?<"+string(s.in[s.at-1]), false
	case s.next("?P="):
		if name, closed := s.until(')'); closed {
			s.referred = append(s.referred, name)
			s.write(`\k<`+name+">", true)
			return
		}
		s.fail("(?P=")
		return
	case s.next("?P<"), s.next("?<"):
		name, closed := s.until('>')
		if !closed || !isGroupName(name) || slices.Contains(s.names, name) {
			s.fail("a group named %q", name)
			return
		}
		s.names = append(s.names, name)
		s.groups++
		head = "(?<" + name + ">"
	case s.next("?"):
		s.fail("(?%s", string(s.in[s.at:min(len(s.in), s.at+1)]))
		return
	case s.next("*"):
		s.fail("(*")
		return
	default:
		s.groups++
	}
	s.open++
	s.plain = append(s.plain, plain)
	s.write(head, false)
}

func isGroupName(name string) bool {
	for i, r := range name {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}
