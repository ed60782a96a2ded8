package node

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxAliased bounds what aliases and merge keys may add to a document: a text
// of a few lines can stand for billions of nodes.
const maxAliased = 1_000_000

// yamlReader turns the nodes of the YAML library into ours.
type yamlReader struct {
	arena
	columns columns
	stack   []*Node
	depth   int
	aliased int                  // nodes that aliases and merge keys added
	size    int                  // nodes so far, aliases expanded
	anchors map[*yaml.Node]*Node // nil while the anchored node is being read
	sizes   map[*Node]int        // of anchored nodes, aliases expanded
}

func parseYAML(file *File, data []byte) *SyntaxError {
	doc, rest, err := composeYAML(data)
	if err != nil {
		return yamlError(file, data, err)
	}
	r := &yamlReader{
		arena:   arena{file: file},
		columns: newColumns(data),
		anchors: map[*yaml.Node]*Node{},
		sizes:   map[*Node]int{},
	}
	if doc == nil {
		file.Root = r.node(Null, "", 1, 1)
		return nil
	}
	root, failure := r.read(doc)
	if failure != nil {
		return failure
	}
	file.Root = root
	if rest != nil {
		file.warn(int32(rest.Line), int32(rest.Column), "second-document", "only the first YAML document of the file is read")
	}
	return nil
}

// composeYAML returns the root of the first document and, if there is another
// one that holds something, the root of that.
func composeYAML(data []byte) (doc, rest *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil { // the library panics on what it did not expect
			err = fmt.Errorf("the text cannot be read: %v", p)
		}
	}()
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	next := func() (*yaml.Node, error) {
		var n yaml.Node
		if err := loader.Load(&n); err != nil {
			return nil, err
		}
		if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
			return n.Content[0], nil
		}
		return &n, nil
	}
	if doc, err = next(); err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return nil, nil, err
	}
	// Text at a wrong indentation ends the first document without an error, so
	// one behind it counts too.
	rest, err = next()
	if errors.Is(err, io.EOF) {
		return doc, nil, nil
	}
	if err != nil || rest.ShortTag() == "!!null" {
		return doc, nil, err
	}
	return doc, rest, nil
}

func yamlError(file *File, data []byte, err error) *SyntaxError {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return file.fail(0, 0, codeSyntax, "YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if strings.Contains(load.Message, "control characters") {
		line, col := firstControl(data)
		e := file.fail(line, col, codeSyntax, "YAML: %s", load.Message)
		e.Hint = "remove the character, or write it as an escape in double quotes; a file full of them is no text"
		return e
	}
	columns := newColumns(data)
	line, col := int32(load.Mark.Line), columns.bytes(load.Mark.Line, load.Mark.Column)
	// Where a token should start, the library names no tab; it can only be
	// indentation there (YAML 1.2.2, 6.1).
	if strings.Contains(load.Message, "tab character") || isTab(data, line, col) && strings.Contains(load.Message, "cannot start any token") {
		e := file.fail(line, col, codeSyntax, "YAML: indentation may not hold tabs")
		e.Hint = "indent with spaces"
		return e
	}
	message := load.Message
	if context := load.ContextMsg; context != "" {
		// What is wrong often stands where the mapping or list begins, far above
		// the place where it is noticed.
		if line := load.ContextMark.Line; line > 0 && line != load.Mark.Line {
			context += fmt.Sprintf(" begun on line %d", line)
		}
		message = context + ": " + message
	}
	return file.fail(line, col, codeSyntax, "YAML: %s", message)
}

// firstControl finds the first character that YAML does not allow (YAML 1.2.2,
// 5.1); the library does not say where it stands. The line is 0 without one.
func firstControl(data []byte) (line, col int32) {
	line = 1
	start := 0
	for i, c := range string(data) {
		switch {
		case c == '\n':
			line, start = line+1, i+1
		case c < ' ' && c != '\t' && c != '\r', 0x7f <= c && c < 0xa0 && c != 0x85, c == 0xfffe, c == 0xffff:
			return line, int32(i - start + 1)
		}
	}
	return 0, 0
}

// isTab reports whether a tab stands at a line and column in bytes.
func isTab(data []byte, line, col int32) bool {
	for range line - 1 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return col > 0 && int(col) <= len(data) && data[col-1] == '\t'
}

func (r *yamlReader) fail(n *yaml.Node, code, format string, args ...any) *SyntaxError {
	return r.file.fail(int32(n.Line), r.columns.bytes(n.Line, n.Column), code, format, args...)
}

func (r *yamlReader) make(n *yaml.Node, kind Kind, value string) *Node {
	r.size++
	return r.node(kind, value, int32(n.Line), r.columns.bytes(n.Line, n.Column))
}

func (r *yamlReader) read(n *yaml.Node) (*Node, *SyntaxError) {
	if r.depth++; r.depth > maxDepth {
		return nil, r.fail(n, codeSyntax, "YAML: nested too deeply")
	}
	defer func() { r.depth-- }()
	if n.Kind == yaml.AliasNode {
		return r.alias(n)
	}
	if n.Anchor == "" {
		return r.plain(n)
	}
	r.anchors[n] = nil
	before := r.size
	out, err := r.plain(n)
	if err != nil {
		return nil, err
	}
	r.anchors[n] = out
	r.sizes[out] = r.size - before
	return out, nil
}

func (r *yamlReader) alias(n *yaml.Node) (*Node, *SyntaxError) {
	out := r.anchors[n.Alias]
	if out == nil {
		return nil, r.fail(n, codeAlias, "YAML: anchor %q stands inside itself", n.Value)
	}
	r.size += r.sizes[out]
	return out, r.spend(n, r.sizes[out])
}

func (r *yamlReader) spend(n *yaml.Node, nodes int) *SyntaxError {
	if r.aliased += nodes; r.aliased > maxAliased {
		return r.fail(n, codeAlias, "YAML: aliases make the document larger than %d nodes", maxAliased)
	}
	return nil
}

func (r *yamlReader) plain(n *yaml.Node) (*Node, *SyntaxError) {
	switch n.Kind {
	case yaml.MappingNode:
		return r.mapping(n)
	case yaml.SequenceNode:
		out := r.make(n, Sequence, "")
		base := len(r.stack)
		for _, item := range n.Content {
			v, err := r.read(item)
			if err != nil {
				return nil, err
			}
			r.stack = append(r.stack, v)
		}
		out.Items = r.list(r.stack[base:])
		r.stack = r.stack[:base]
		return out, nil
	}
	return r.scalar(n), nil
}

func (r *yamlReader) mapping(n *yaml.Node) (*Node, *SyntaxError) {
	out := r.make(n, Mapping, "")
	base := len(r.stack)
	merges := false
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.ShortTag() == "!!merge" {
			merges = true
			continue
		}
		key, err := r.key(k)
		if err != nil {
			return nil, err
		}
		value, err := r.read(v)
		if err != nil {
			return nil, err
		}
		r.stack = append(r.stack, key, value)
	}
	if err := r.file.checkKeys(r.stack[base:]); err != nil {
		return nil, err
	}
	if merges {
		if err := r.merge(n, base); err != nil {
			return nil, err
		}
	}
	out.Items = r.list(r.stack[base:])
	r.stack = r.stack[:base]
	return out, nil
}

// merge appends the pairs of all merge keys of n that the mapping whose items
// start at base lacks (YAML 1.1, merge type: own keys win, then earlier ones).
func (r *yamlReader) merge(n *yaml.Node, base int) *SyntaxError {
	have := map[string]bool{}
	for i := base; i < len(r.stack); i += 2 {
		have[r.stack[i].Value] = true
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].ShortTag() != "!!merge" {
			continue
		}
		from, err := r.read(n.Content[i+1])
		if err != nil {
			return err
		}
		sources := []*Node{from}
		if from.Kind == Sequence {
			sources = from.Items
		}
		for _, source := range sources {
			if source.Kind != Mapping {
				return r.fail(n.Content[i+1], codeSyntax, "YAML: a merge key needs a mapping or a list of mappings")
			}
			if err := r.spend(n, len(source.Items)); err != nil {
				return err
			}
			for k, v := range source.Pairs() {
				if !have[k.Value] {
					have[k.Value] = true
					r.stack = append(r.stack, k, v)
				}
			}
		}
	}
	return nil
}

func (r *yamlReader) key(k *yaml.Node) (*Node, *SyntaxError) {
	at := k
	if k.Kind == yaml.AliasNode {
		k = k.Alias
	}
	switch {
	case k.Kind != yaml.ScalarNode:
		return nil, r.fail(at, codeKey, "YAML: a key must be text, not a list or a mapping")
	case k.ShortTag() == "!!null":
		return nil, r.fail(at, codeKey, "YAML: a mapping has no key here")
	}
	return r.make(at, String, k.Value), nil
}

var (
	yamlNumber = regexp.MustCompile(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
	yamlBased  = regexp.MustCompile(`^[-+]?0(?:x[0-9a-fA-F]+|o?[0-7]+|b[01]+)$`)
)

// isNumber reports whether text, taken as YAML, is a finite number that Literal
// can write.
func isNumber(text string) bool {
	text = strings.ReplaceAll(text, "_", "")
	return yamlNumber.MatchString(text) || yamlBased.MatchString(text)
}

func (r *yamlReader) scalar(n *yaml.Node) *Node {
	switch n.ShortTag() {
	case "!!null":
		return r.make(n, Null, "")
	case "!!bool":
		switch strings.ToLower(n.Value) {
		case "true", "false":
			return r.make(n, Bool, strings.ToLower(n.Value))
		}
	case "!!int", "!!float":
		if isNumber(n.Value) {
			return r.make(n, Number, n.Value)
		}
		if strings.Contains(n.Value, ".") && n.Style == 0 { // .inf and .nan
			out := r.make(n, Null, "")
			r.file.warn(out.Line, out.Col, "number-not-finite", "%s has no JSON form and is read as null", n.Value)
			return out
		}
	case "!!str":
		// A number beyond float64 is text for the library.
		if n.Style == 0 && n.Value != "" && strings.IndexByte("+-.0123456789", n.Value[0]) >= 0 &&
			yamlNumber.MatchString(n.Value) {
			return r.make(n, Number, n.Value)
		}
	}
	return r.make(n, String, n.Value)
}

// columns turns the library's columns, which count characters, into ours, which
// count bytes.
type columns struct {
	data  []byte
	lines []int // offset of each line; nil when all is ASCII
	last  struct{ line, col, offset int }
}

func newColumns(data []byte) columns {
	c := columns{data: data}
	ascii := true
	for _, b := range data {
		ascii = ascii && b < utf8.RuneSelf
	}
	if ascii || isUTF16(data) {
		return c
	}
	c.lines = []int{0}
	for i, b := range data {
		if b == '\n' || b == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			c.lines = append(c.lines, i+1)
		}
	}
	return c
}

// bytes converts a column. Columns of one line are asked for in rising order,
// mostly, so it goes on from the last one.
func (c *columns) bytes(line, col int) int32 {
	if line < 1 || line > len(c.lines) {
		return int32(col)
	}
	at := &c.last
	if at.line != line || at.col > col {
		at.line, at.col, at.offset = line, 1, c.lines[line-1]
	}
	for at.col < col && at.offset < len(c.data) {
		_, size := utf8.DecodeRune(c.data[at.offset:])
		at.offset += size
		at.col++
	}
	return int32(at.offset - c.lines[line-1] + 1)
}
