package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// document writes a value as an XML document with this element as its root. The
// charset, empty for UTF-8, is what it will be encoded in.
func (e *Element) document(value json.RawMessage, charset string) (string, error) {
	if kindOf(value) == '[' && !e.Wrapped {
		return "", errors.New("an XML document has one root element; the API's description makes it a bare list")
	}
	w := xmlWriter{}
	fmt.Fprintf(&w, "<?xml version=\"1.0\" encoding=%q?>\n", cmp.Or(strings.ToUpper(charset), "UTF-8"))
	if err := w.value(e, value); err != nil {
		return "", err
	}
	return w.String(), nil
}

type xmlWriter struct{ bytes.Buffer }

// value writes one element, or for a bare array one an item.
func (w *xmlWriter) value(e *Element, value json.RawMessage) error {
	if kindOf(value) != '[' {
		return w.element(e, value)
	}
	item := *e // a bare array without an item of its own repeats its name
	item.Wrapped, item.Item = false, nil
	if e.Item != nil {
		item = *e.Item
		if item.Name == "" {
			item.Name, item.Prefix = e.Name, e.Prefix
		}
	}
	if e.Wrapped {
		w.open(e, nil)
	}
	for v := range items(value) {
		if err := w.value(&item, v); err != nil {
			return err
		}
	}
	if e.Wrapped {
		w.close(e)
	}
	return nil
}

// element writes <name attributes>content</name>. null is an empty element.
func (w *xmlWriter) element(e *Element, value json.RawMessage) error {
	if !isObject(value) {
		w.open(e, nil)
		if kindOf(value) != 'n' {
			w.text(textOf(value))
		}
		w.close(e)
		return nil
	}
	given := map[string]json.RawMessage{}
	for name, v := range members(value) {
		given[name] = v
	}
	var attributes []xml.Attr
	for _, c := range e.Children {
		if v, ok := given[c.Property]; ok && c.Attribute && kindOf(v) != 'n' {
			attributes = append(attributes, xml.Attr{Name: xml.Name{Local: c.tag()}, Value: textOf(v)})
		}
	}
	w.open(e, attributes)
	if err := w.children(e, value, given); err != nil {
		return err
	}
	w.close(e)
	return nil
}

// children writes the declared properties in the document's order, which XML
// schemas often ask for, then the others in the order of the call.
func (w *xmlWriter) children(e *Element, value json.RawMessage, given map[string]json.RawMessage) error {
	for i := range e.Children {
		c := &e.Children[i]
		v, ok := given[c.Property]
		delete(given, c.Property)
		if !ok || c.Attribute || kindOf(v) == 'n' {
			continue
		}
		if err := w.value(c, v); err != nil {
			return err
		}
	}
	for name, v := range members(value) {
		if _, rest := given[name]; !rest || kindOf(v) == 'n' {
			continue
		}
		if !isXMLName(name) {
			return fmt.Errorf("property %q cannot be the name of an XML element", name)
		}
		if err := w.value(&Element{Name: name}, v); err != nil {
			return err
		}
	}
	return nil
}

func (w *xmlWriter) open(e *Element, attributes []xml.Attr) {
	w.WriteString("<" + e.tag())
	if e.Namespace != "" {
		name := "xmlns"
		if e.Prefix != "" {
			name += ":" + e.Prefix
		}
		w.attribute(name, e.Namespace)
	}
	for _, c := range e.Children {
		if c.Attribute && c.Prefix != "" && c.Namespace != "" && c.Prefix != e.Prefix {
			w.attribute("xmlns:"+c.Prefix, c.Namespace)
		}
	}
	for _, a := range attributes {
		w.attribute(a.Name.Local, a.Value)
	}
	w.WriteString(">")
}

func (w *xmlWriter) close(e *Element) { w.WriteString("</" + e.tag() + ">") }

func (w *xmlWriter) attribute(name, value string) {
	w.WriteString(" " + name + `="`)
	w.text(value)
	w.WriteString(`"`)
}

func (w *xmlWriter) text(s string) {
	_ = xml.EscapeText(w, []byte(s)) // a bytes.Buffer takes everything
}

// tag is the element's name with its prefix.
func (e *Element) tag() string {
	if e.Prefix == "" {
		return e.Name
	}
	return e.Prefix + ":" + e.Name
}

// isXMLName is a strict reading of XML 1.0's Name, without colons.
func isXMLName(s string) bool {
	for i, r := range s {
		if !(r == '_' || unicode.IsLetter(r) || i > 0 && (r == '-' || r == '.' || unicode.IsDigit(r))) {
			return false
		}
	}
	return s != "" && !strings.EqualFold(s, "xml")
}
