package node

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonParser reads JSON (RFC 8259). It is our own because encoding/json gives
// no positions and decodes a number or a key only by allocating it; here both
// are parts of the text.
type jsonParser struct {
	arena
	text  string
	pos   int
	line  int32
	start int     // of the current line
	stack []*Node // items of the containers that are open
	depth int
}

func parseJSON(file *File, data []byte) *SyntaxError {
	p := &jsonParser{arena: arena{file: file}, text: string(data), line: 1}
	p.space()
	root, err := p.value()
	if err != nil {
		return err
	}
	if p.space(); p.pos < len(p.text) {
		return p.fail("text after the end of the JSON value")
	}
	file.Root = root
	return nil
}

func (p *jsonParser) col() int32 { return int32(p.pos - p.start + 1) }

func (p *jsonParser) fail(message string) *SyntaxError {
	return p.file.fail(p.line, p.col(), codeSyntax, "JSON: %s", message)
}

func (p *jsonParser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t':
		case '\n':
			p.line, p.start = p.line+1, p.pos+1
		case '\r':
			if p.pos+1 == len(p.text) || p.text[p.pos+1] != '\n' {
				p.line, p.start = p.line+1, p.pos+1
			}
		default:
			return
		}
		p.pos++
	}
}

// peek returns the next byte that is no white space, 0 at the end.
func (p *jsonParser) peek() byte {
	p.space()
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *jsonParser) value() (*Node, *SyntaxError) {
	c := p.peek()
	line, col := p.line, p.col()
	switch {
	case c == '{':
		return p.container(Mapping)
	case c == '[':
		return p.container(Sequence)
	case c == '"':
		return p.str()
	case c == '-' || '0' <= c && c <= '9':
		n := numberLength(p.text[p.pos:])
		if n == 0 {
			return nil, p.fail("malformed number")
		}
		p.pos += n
		return p.node(Number, p.text[p.pos-n:p.pos], line, col), nil
	case p.word("true"):
		return p.node(Bool, "true", line, col), nil
	case p.word("false"):
		return p.node(Bool, "false", line, col), nil
	case p.word("null"):
		return p.node(Null, "", line, col), nil
	case c == 0:
		return nil, p.fail("the text ends in the middle")
	}
	return nil, p.fail("a value is expected here")
}

func (p *jsonParser) word(w string) bool {
	if !strings.HasPrefix(p.text[p.pos:], w) {
		return false
	}
	p.pos += len(w)
	return true
}

// container reads a mapping or a list, whose opening byte is next.
func (p *jsonParser) container(kind Kind) (*Node, *SyntaxError) {
	n := p.node(kind, "", p.line, p.col())
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("nested too deeply")
	}
	base := len(p.stack)
	end := byte(']')
	if kind == Mapping {
		end = '}'
	}
	p.pos++
	for first := true; ; first = false {
		if p.peek() == end && first {
			break
		}
		if err := p.member(kind); err != nil {
			return nil, err
		}
		if c := p.peek(); c == end {
			break
		} else if c != ',' {
			return nil, p.fail("',' or '" + string(end) + "' is expected here")
		}
		p.pos++
		p.space()
	}
	p.pos++
	p.depth--
	n.Items = p.list(p.stack[base:])
	p.stack = p.stack[:base]
	if kind == Mapping {
		if err := p.file.checkKeys(n.Items); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// member reads one item onto the stack; of a mapping, key and value.
func (p *jsonParser) member(kind Kind) *SyntaxError {
	if kind == Mapping {
		if p.peek() != '"' {
			return p.fail("a key in quotes is expected here")
		}
		key, err := p.str()
		if err != nil {
			return err
		}
		if p.peek() != ':' {
			return p.fail("':' is expected here")
		}
		p.pos++
		p.space()
		p.stack = append(p.stack, key)
	}
	value, err := p.value()
	if err != nil {
		return err
	}
	p.stack = append(p.stack, value)
	return nil
}

// str reads a string. One without escapes is a part of the text.
func (p *jsonParser) str() (*Node, *SyntaxError) {
	n := p.node(String, "", p.line, p.col())
	p.pos++
	from := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			n.Value = p.text[from:p.pos]
			p.pos++
			return n, nil
		case c == '\\':
			return n, p.escaped(n, from)
		case c < ' ':
			return nil, p.fail("control character in a string")
		}
		p.pos++
	}
	return nil, p.fail("the text ends in a string")
}

// escaped reads the rest of a string that has an escape at p.pos.
func (p *jsonParser) escaped(n *Node, from int) *SyntaxError {
	var b strings.Builder
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			b.WriteString(p.text[from:p.pos])
			n.Value = b.String()
			p.pos++
			return nil
		case c < ' ':
			return p.fail("control character in a string")
		case c != '\\':
			p.pos++
		default:
			b.WriteString(p.text[from:p.pos])
			if !p.escape(&b) {
				return p.fail("malformed escape in a string")
			}
			from = p.pos
		}
	}
	return p.fail("the text ends in a string")
}

// escape decodes the escape at p.pos and moves behind it.
func (p *jsonParser) escape(b *strings.Builder) bool {
	if p.pos+1 >= len(p.text) {
		return false
	}
	c := p.text[p.pos+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		p.pos += 2
		return true
	}
	r, ok := p.unicode(p.pos)
	if !ok {
		return false
	}
	p.pos += 6
	if utf16.IsSurrogate(r) {
		low, ok := p.unicode(p.pos)
		if full := utf16.DecodeRune(r, low); ok && full != utf8.RuneError {
			p.pos += 6
			r = full
		}
	}
	b.WriteRune(r) // half a pair becomes U+FFFD
	return true
}

// unicode reads \uXXXX at i.
func (p *jsonParser) unicode(i int) (rune, bool) {
	if i+6 > len(p.text) || p.text[i:i+2] != `\u` {
		return 0, false
	}
	v, err := strconv.ParseUint(p.text[i+2:i+6], 16, 32)
	return rune(v), err == nil
}

// numberLength is the length of the JSON number that s starts with, 0 if none.
func numberLength(s string) int {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return 0
	}
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return 0
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return 0
		}
	}
	return i
}
