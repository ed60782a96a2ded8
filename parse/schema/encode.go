package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// body is a finished schema with gaps where other schemas of the document are
// meant: whether those are written in place or referred to is decided for each
// tool. Texts begin with the comma that parts them from what is before.
type body struct {
	kind     string             // `,"type":"object"`
	nullKind string             // the same with null; empty when it would not suffice
	notes    [len(notes)]string // `,"title":"…"` and so on
	rest     []piece
	fixed    int // bytes of all texts
}

// piece is a text, then a link unless it is the last.
type piece struct {
	text string
	link *link
}

// link is a reference to a def; its notes win over the def's own. With null,
// the value may also be null. With inPlace, it stands in a composition, so that
// the def describes the same value as the schema around.
type link struct {
	to      *def
	null    bool
	inPlace bool
	notes   [len(notes)]string
}

// def is a schema that others refer to.
type def struct {
	node *node.Node
	name string // base of the key in $defs
	body *body  // set by visit
	err  error
	scc
	use *use // in the tool at hand
}

// writer collects the pieces of a body.
type writer struct {
	*conversion
	buf     []byte
	pieces  []piece
	literal bool // below not or if, where an added type would change the meaning
	below   bool // not about the value that the body is about
}

// body converts the schema of a def.
func (v *conversion) body(n *node.Node, name string) (*body, error) {
	level, err := v.finish(n)
	if err != nil {
		return nil, err
	}
	level = v.tellPattern(level)
	w := writer{conversion: v}
	b := &body{notes: writeNotes(level, name)}
	if t := inferredType(level); t != nil {
		b.kind = `,"type":` + string(node.AppendJSON(nil, t))
		if !has(level, composition...) && !has(level, "enum", "const") {
			null := admitNull(node.Map(t, node.Str(t, "type"), t))
			b.nullKind = `,"type":` + string(node.AppendJSON(nil, null.Get("type")))
		}
	}
	if err := w.keywords(level); err != nil {
		return nil, err
	}
	b.rest = w.finished()
	b.fixed = len(b.kind)
	for _, note := range b.notes {
		b.fixed += len(note)
	}
	for _, p := range b.rest {
		b.fixed += len(p.text)
	}
	return b, nil
}

// link makes the link for a flat schema that is a reference.
func (v *conversion) link(level *node.Node) (*link, error) {
	target, over, err := v.chase(level)
	if err != nil {
		return nil, err
	}
	if v.dir == Output {
		over = relax(over)
	}
	return &link{to: v.def(target), null: over.Has("nullable"), notes: writeNotes(over, "")}, nil
}

// def returns the def of a schema.
func (v *conversion) def(n *node.Node) *def {
	d := v.defs[n]
	if d == nil {
		d = &def{node: n, name: cmp.Or(v.names[n], "Schema")}
		v.defs[n] = d
	}
	return d
}

// writeNotes encodes the notes of a schema called name.
func writeNotes(level *node.Node, name string) (out [len(notes)]string) {
	for i, key := range notes {
		n := level.Get(key)
		if n == nil || key == "deprecated" && n.Is(false) || key == "title" && tellsNothing(n.Value, name) {
			continue
		}
		out[i] = string(node.AppendJSON(append(node.AppendString([]byte{','}, key), ':'), n))
	}
	return out
}

// tellsNothing reports whether a title only repeats the name of what it
// entitles, as frameworks generate it.
func tellsNothing(title, name string) bool {
	return folded(title) == folded(name)
}

// folded is a name without regard to case and to what parts its words.
func folded(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.", r) {
			return -1
		}
		return r
	}, name))
}

// key writes a key and the comma before it, if one is due. At the start of the
// buffer it is: there stands the text after a link, or the inside of a body.
func (w *writer) key(name string) {
	if n := len(w.buf); n == 0 || w.buf[n-1] != '{' {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(node.AppendString(w.buf, name), ':')
}

// value writes a key with a JSON value.
func (w *writer) value(key string, v *node.Node) {
	w.key(key)
	w.buf = node.AppendJSON(w.buf, v)
}

// refer leaves the gap for a link.
func (w *writer) refer(l *link) {
	l.inPlace = !w.below
	w.pieces = append(w.pieces, piece{string(w.buf), l})
	w.buf = w.buf[:0]
}

// finished returns everything written.
func (w *writer) finished() []piece {
	return append(w.pieces, piece{text: string(w.buf)})
}

// schema writes the schema n, which is called name where it stands; the notes of
// over win.
func (w *writer) schema(n *node.Node, name string, over *node.Node) error {
	level, err := w.flatten(n)
	if err != nil {
		return err
	}
	if isLink(level) {
		l, err := w.link(withNotes(level, over))
		if err != nil {
			return err
		}
		w.refer(l)
		return nil
	}
	if w.flats[n].joined {
		w.refer(&link{to: w.def(n), notes: writeNotes(over, "")})
		return nil
	}
	if level, err = w.finish(n); err != nil {
		return err
	}
	level = w.tellPattern(withNotes(level, over))
	w.buf = append(w.buf, '{')
	t := level.Get("type")
	if t == nil && !w.literal {
		t = inferredType(level)
	}
	if t != nil {
		w.value("type", t)
	}
	for _, note := range writeNotes(level, name) {
		if note != "" && w.buf[len(w.buf)-1] == '{' {
			note = note[1:]
		}
		w.buf = append(w.buf, note...)
	}
	if err := w.keywords(level); err != nil {
		return err
	}
	w.buf = append(w.buf, '}')
	return nil
}

// keywords writes what is neither type nor note, in the order of the document.
func (w *writer) keywords(level *node.Node) error {
	for key, v := range level.Pairs() {
		if key.Value == "type" || isNote(key.Value) {
			continue
		}
		if err := w.keyword(key.Value, v); err != nil {
			return err
		}
	}
	if hasType(inferredType(level), "array") && !level.Has("items") {
		w.key("items")
		w.buf = append(w.buf, "{}"...)
	}
	return nil
}

// keyword writes one keyword.
func (w *writer) keyword(key string, v *node.Node) error {
	literal, below := w.literal, w.below
	defer func() { w.literal, w.below = literal, below }()
	w.literal = literal || key == "not" || key == "if"
	w.below = below || !slices.Contains(composition, key)
	switch form := keywords[key]; {
	case form == schemaList:
		return w.list(key, v)
	case form == schemaMap:
		return w.mapping(key, v)
	case key == "additionalProperties" && v.Is(false):
	case form == oneSchema, form == itemSchemas:
		w.key(key)
		return w.schema(v, "", nil)
	case key == "pattern":
		w.checkPattern(v)
	}
	w.value(key, v)
	return nil
}

func (w *writer) list(key string, v *node.Node) error {
	w.key(key)
	for i, m := range v.Items {
		w.buf = append(w.buf, "[,"[min(i, 1)])
		if err := w.schema(m, "", nil); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, ']')
	return nil
}

func (w *writer) mapping(key string, v *node.Node) error {
	w.key(key)
	w.buf = append(w.buf, '{')
	for name, m := range v.Pairs() {
		if key == "patternProperties" {
			w.checkPattern(name)
		}
		w.key(name.Value)
		if err := w.schema(m, name.Value, nil); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, '}')
	return nil
}
