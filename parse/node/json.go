package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// jsonParser builds a tree from the tokens of encoding/json. The decoder says
// where a token ends; where it begins is the first byte after the last one that
// is no white space and no punctuation.
type jsonParser struct {
	arena
	tokens *json.Decoder
	text   []byte
	pos    int // up to here lines are counted
	line   int32
	start  int // of the current line
	depth  int
	stack  []*Node // items of the containers that are open
}

func parseJSON(file *File, data []byte) *SyntaxError {
	p := &jsonParser{arena: arena{file: file}, tokens: json.NewDecoder(bytes.NewReader(data)), text: data, line: 1}
	p.tokens.UseNumber()
	root, err := p.value()
	if err != nil {
		return err
	}
	end := p.tokens.InputOffset()
	if _, err := p.tokens.Token(); !errors.Is(err, io.EOF) {
		p.moveTo(int(end))
		return p.fail("text after the end of the value")
	}
	file.Root = root
	return nil
}

// moveTo counts lines up to the first byte of a token at or after offset.
func (p *jsonParser) moveTo(offset int) {
	for ; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == '\n', c == '\r' && (p.pos+1 == len(p.text) || p.text[p.pos+1] != '\n'):
			p.line, p.start = p.line+1, p.pos+1
		case p.pos < offset, c == ' ', c == '\t', c == '\r', c == ',', c == ':':
		default:
			return
		}
	}
}

func (p *jsonParser) fail(message string) *SyntaxError {
	err := p.file.fail(p.line, int32(p.pos-p.start+1), codeSyntax, "JSON: %s", message)
	err.Hint = "correct the text here or just before: look for a comma, bracket or quote that is missing or too many"
	return err
}

// token reads the next token and moves to its first byte.
func (p *jsonParser) token() (json.Token, *SyntaxError) {
	p.moveTo(int(p.tokens.InputOffset()))
	token, err := p.tokens.Token()
	if err == nil {
		return token, nil
	}
	message := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the text ends in the middle"
	}
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		p.moveTo(int(syntax.Offset) - 1)
	}
	return nil, p.fail(message)
}

func (p *jsonParser) value() (*Node, *SyntaxError) {
	token, err := p.token()
	if err != nil {
		return nil, err
	}
	n := p.node(Null, "", p.line, int32(p.pos-p.start+1))
	switch token := token.(type) {
	case json.Delim:
		n.Kind = Sequence
		if token == '{' {
			n.Kind = Mapping
		}
		return n, p.items(n)
	case string:
		n.Kind, n.Value = String, token
	case json.Number:
		n.Kind, n.Value = Number, token.String()
	case bool:
		n.Kind, n.Value = Bool, "false"
		if token {
			n.Value = "true"
		}
	}
	return n, nil
}

// items reads the rest of a mapping or list; keys come as values do.
func (p *jsonParser) items(n *Node) *SyntaxError {
	if p.depth++; p.depth > maxDepth {
		return p.fail("nested too deeply")
	}
	base := len(p.stack)
	for p.tokens.More() {
		item, err := p.value()
		if err != nil {
			return err
		}
		p.stack = append(p.stack, item)
	}
	if _, err := p.token(); err != nil {
		return err
	}
	p.depth--
	n.Items = p.list(p.stack[base:])
	p.stack = p.stack[:base]
	if n.Kind == Mapping {
		return p.file.checkKeys(n.Items)
	}
	return nil
}
