package node

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// SyntaxError is why a file cannot be read as a tree.
type SyntaxError struct {
	Pos     diag.Pos
	Code    string // kebab-case: "duplicate-key", "syntax"
	Message string
	Hint    string // what to do next
}

func (e *SyntaxError) Error() string {
	if p := e.Pos.String(); p != "" {
		return p + ": " + e.Message
	}
	return e.Message
}

const (
	codeSyntax    = "syntax"
	codeDuplicate = "duplicate-key"
	codeKey       = "bad-key"
	codeAlias     = "excessive-aliasing"
)

// maxDepth bounds the nesting of a tree, so that passes over it may recurse.
const maxDepth = 10000

// bom is the byte order mark that some editors put first.
var bom = []byte("\xef\xbb\xbf")

// Parse reads data into file.Root. JSON and YAML are told apart by the text,
// never by the file's name: what starts like JSON and is JSON takes a path that
// needs a tenth of the memory of a YAML parser, all else is YAML. What had to
// be changed is added to file.Warnings. Errors are of type *[SyntaxError].
//
// Keys that are no strings (200, true) become strings; a key given twice is an
// error that names both lines. YAML booleans and nulls are those of YAML 1.2, so
// that on, off, yes and no are text. Aliases share the node they name, merge
// keys are expanded. Of several YAML documents the first is read.
func Parse(file *File, data []byte) error {
	data = bytes.TrimPrefix(data, bom)
	if !utf8.Valid(data) && !isUTF16(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
		file.warn(0, 0, "invalid-utf8", "the file is not UTF-8; what is not was replaced by U+FFFD")
	}
	if looksLikeJSON(data) {
		err := parseJSON(file, data)
		if err == nil || err.Code != codeSyntax {
			return asError(err)
		}
		// A flow mapping of YAML starts like JSON, and YAML forgives a trailing
		// comma. Where it does not like the text either, JSON is the better guess.
		if parseYAML(file, data) == nil {
			return nil
		}
		return err
	}
	return asError(parseYAML(file, data))
}

// asError keeps a nil *SyntaxError from becoming an error that is not nil.
func asError(err *SyntaxError) error {
	if err == nil {
		return nil
	}
	return err
}

func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))
}

func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

func (f *File) warn(line, col int32, code, format string, args ...any) {
	f.Warnings = append(f.Warnings, diag.Diagnostic{
		Pos:      diag.Pos{File: f.Name, Line: int(line), Col: int(col)},
		Severity: diag.Warning, Code: code, Message: fmt.Sprintf(format, args...),
	})
}

// syntaxHints say what to do about an error of a code, unless more is known.
var syntaxHints = map[string]string{
	codeSyntax:    "correct the text here or above: look for indentation, a bracket or quote without its other half, and text with a colon or # that needs quotes",
	codeDuplicate: "remove one of them, or give it another name",
	codeKey:       "put a name before the colon, in quotes if it begins with a bracket",
	codeAlias:     "write out the content instead of the alias",
}

func (f *File) fail(line, col int32, code, format string, args ...any) *SyntaxError {
	return &SyntaxError{
		Pos:  diag.Pos{File: f.Name, Line: int(line), Col: int(col)},
		Code: code, Message: fmt.Sprintf(format, args...), Hint: syntaxHints[code],
	}
}

// arena hands out nodes and item lists from large blocks: a document has a
// million of them, and they live and die together.
type arena struct {
	file  *File
	nodes []Node
	lists []*Node
}

func (a *arena) node(kind Kind, value string, line, col int32) *Node {
	if len(a.nodes) == 0 {
		a.nodes = make([]Node, 256)
	}
	n := &a.nodes[0]
	a.nodes = a.nodes[1:]
	*n = Node{Kind: kind, Value: value, File: a.file, Line: line, Col: col}
	return n
}

// list copies items to a place of their own.
func (a *arena) list(items []*Node) []*Node {
	if len(items) == 0 {
		return nil
	}
	if len(items) > len(a.lists) {
		if len(items) > 256 {
			return append(make([]*Node, 0, len(items)), items...)
		}
		a.lists = make([]*Node, 1024)
	}
	out := a.lists[:len(items):len(items)]
	a.lists = a.lists[len(items):]
	copy(out, items)
	return out
}

// checkKeys refuses a mapping that has a key twice.
func (f *File) checkKeys(items []*Node) *SyntaxError {
	const few = 16
	if len(items) <= 2*few {
		for i := 2; i < len(items); i += 2 {
			for j := 0; j < i; j += 2 {
				if items[i].Value == items[j].Value {
					return f.duplicate(items[j], items[i])
				}
			}
		}
		return nil
	}
	seen := make(map[string]*Node, len(items)/2)
	for i := 0; i < len(items); i += 2 {
		k := items[i]
		if first := seen[k.Value]; first != nil {
			return f.duplicate(first, k)
		}
		seen[k.Value] = k
	}
	return nil
}

func (f *File) duplicate(first, second *Node) *SyntaxError {
	where := fmt.Sprintf("on line %d and on line %d", first.Line, second.Line)
	if first.Line == second.Line { // JSON on one line
		where = fmt.Sprintf("on line %d at columns %d and %d", first.Line, first.Col, second.Col)
	}
	return f.fail(second.Line, second.Col, codeDuplicate, "key %q stands twice in one mapping: %s", second.Value, where)
}
