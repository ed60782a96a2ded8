package schema

import (
	"encoding/json"
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Property is one argument of a tool.
type Property struct {
	Name        string
	Schema      *node.Node // nil: any value
	Required    bool
	Description string // wins over the schema's; empty: the schema's stays
	Deprecated  bool
	Examples    []*node.Node // come before the schema's
	// Override is a finished JSON Schema 2020-12 used as it is instead of
	// Schema, for arguments that no schema of the document describes.
	Override *node.Node
}

// Object returns the inputSchema of a tool with the arguments props, compact:
// an object that allows no other property. Errors are those of [Source.Resolve]
// and *[Error].
func (c *Converter) Object(props []Property) (json.RawMessage, error) {
	return c.ways[Input].object(props)
}

func (v *conversion) object(props []Property) (json.RawMessage, error) {
	w := writer{conversion: v}
	w.buf = append(w.buf, `{"type":"object"`...)
	var required []*node.Node
	for i, p := range props {
		if i == 0 {
			w.buf = append(w.buf, `,"properties":{`...)
		}
		w.key(p.Name)
		if err := w.property(p); err != nil {
			return nil, err
		}
		if p.Required {
			required = append(required, node.Str(nil, p.Name))
		}
	}
	if len(props) > 0 {
		w.buf = append(w.buf, '}')
	}
	if required != nil {
		w.value("required", node.Seq(nil, required...))
	}
	w.buf = append(w.buf, `,"additionalProperties":false`...)
	return w.layOut()
}

func (w *writer) property(p Property) error {
	if p.Override != nil {
		w.buf = node.AppendJSON(w.buf, p.Override)
		return nil
	}
	over := node.Map(p.Schema)
	if p.Description != "" {
		over = over.With("description", node.Str(p.Schema, p.Description))
	}
	if p.Deprecated {
		over = over.With("deprecated", node.Boolean(p.Schema, true))
	}
	if len(p.Examples) > 0 {
		_, level, notes, err := w.behind(p.Schema)
		if err != nil {
			return err
		}
		level = w.under(level, notes)
		examples := slices.Concat(p.Examples, level.Get("examples").List())
		if t := level.Get("type"); t != nil {
			examples = fitAll(t, examples)
		}
		if examples = distinct(examples); len(examples) > 0 {
			over = over.With("examples", node.Seq(p.Schema, examples...))
		}
	}
	return w.schema(p.Schema, p.Name, over)
}

// layOut returns the finished schema: what is written, with what it refers to.
func (w *writer) layOut() (json.RawMessage, error) {
	l, err := w.arrange(w.finished())
	if err != nil {
		return nil, err
	}
	defer l.release()
	return l.encode(), nil
}
