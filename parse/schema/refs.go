package schema

import (
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// step is where one reference leads.
type step struct {
	target *node.Node
	err    error
}

// step resolves one reference, once.
func (c *Converter) step(ref *node.Node) (*node.Node, error) {
	s, ok := c.steps[ref]
	if !ok {
		s.target, s.err = c.src.Resolve(ref)
		if s.err == nil && s.target == nil {
			s.target = node.NewNull(ref)
		}
		c.steps[ref] = s
	}
	return s.target, s.err
}

// point makes a $ref to target that needs no resolving.
func (c *Converter) point(at, target *node.Node, name string) *node.Node {
	ref := node.Str(at, name)
	c.steps[ref] = step{target: target}
	return c.adopt(node.Map(at, node.Str(at, "$ref"), ref))
}

// deref follows ref and everything that is only a reference again. A chain that
// comes back to itself is an error: nothing on it says anything.
func (c *Converter) deref(ref *node.Node) (*node.Node, error) {
	var way trail
	for {
		target, err := c.step(ref)
		if err != nil {
			return nil, err
		}
		own := c.normalise(target)
		if !isLink(own) || len(own.Items) > 2 {
			if c.names[target] == "" {
				c.names[target] = refName(ref)
			}
			return target, nil
		}
		if err := way.add(ref, target); err != nil {
			return nil, err
		}
		ref = own.Get("$ref")
	}
}

// chase follows a link to the schema it stands for. It also returns the notes,
// and nullable, that were found on the way; those nearer to the use win.
func (c *Converter) chase(link *node.Node) (target, notes *node.Node, err error) {
	var way trail
	notes = link.Without("$ref")
	for {
		ref := link.Get("$ref")
		if target, err = c.deref(ref); err != nil {
			return nil, nil, err
		}
		if link, err = c.flatten(target); err != nil {
			return nil, nil, err
		}
		if !isLink(link) {
			return target, notes, nil
		}
		if err := way.add(ref, target); err != nil {
			return nil, nil, err
		}
		nullable := notes.Get("nullable")
		notes = withNotes(link.Without("$ref"), notes).With("nullable", nullable)
	}
}

// behind is flatten and, where that gives a link, what it leads to: the schema
// of the document that says something, its flat schema, and the notes of the
// link for [Converter.under], nil for none.
func (c *Converter) behind(n *node.Node) (target, level, notes *node.Node, err error) {
	if level, err = c.flatten(n); err != nil || !isLink(level) {
		return n, level, nil, err
	}
	if target, notes, err = c.chase(level); err != nil {
		return n, level, nil, err
	}
	level, err = c.flatten(target)
	return target, level, notes, err
}

// trail is a way along references.
type trail struct {
	targets []*node.Node
	names   []string
	start   *node.Node
}

// add goes on to target by ref; an error says that the trail was there before.
func (t *trail) add(ref, target *node.Node) error {
	if t.start == nil {
		t.start = ref
	}
	if i := slices.Index(t.targets, target); i >= 0 {
		return &Error{
			Pos: t.start.Pos(), Code: "alias-loop",
			Message: "the reference leads back to itself: " + strings.Join(append(t.names[i:], t.names[i]), " -> "),
			Hint:    "give one schema of the chain content of its own",
		}
	}
	t.targets = append(t.targets, target)
	t.names = append(t.names, refName(ref))
	return nil
}

// errLoop is what flatten returns for a schema that includes itself.
var errLoop = errors.New("the schema includes itself")

// refName is the name that a reference gives its target: the last part of the
// pointer with what makes a deep one distinct, or the file's base name.
func refName(ref *node.Node) string {
	file, pointer, _ := strings.Cut(ref.Text(), "#")
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
		switch part = unescape(part); part {
		case "", "components", "schemas", "definitions", "$defs", "properties", "paths":
		default:
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		base := path.Base(file)
		if base == "." || base == "/" {
			return "Schema"
		}
		return sanitise(strings.TrimSuffix(base, path.Ext(base)))
	}
	return sanitise(strings.Join(parts[max(0, len(parts)-3):], "_"))
}

// unescape decodes one part of a pointer in a URL fragment (RFC 6901 section 6).
func unescape(part string) string {
	if decoded, err := url.PathUnescape(part); err == nil {
		part = decoded
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
}

// sanitise makes a key for $defs that needs no escaping in a pointer.
func sanitise(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-', r == '.':
			return r
		}
		return '_'
	}, name)
	if clean = strings.Trim(clean, "_"); clean == "" {
		return "Schema"
	}
	return clean[:min(len(clean), 64)]
}

// bindAnchors lets the dynamic references below n that mean n lead to it. In a
// single document JSON Schema 2020-12 section 8.2.3.2 comes down to that: the
// nearest anchor around the reference.
func (c *Converter) bindAnchors(n *node.Node) {
	anchor := n.Get("$dynamicAnchor").Text()
	recursive := n.Get("$recursiveAnchor").Is(true)
	if anchor == "" && !recursive {
		return
	}
	var bind func(m *node.Node)
	bind = func(m *node.Node) {
		for i, item := range m.Items {
			if m.Kind == node.Mapping && i%2 == 1 && item.Kind == node.String {
				key := m.Items[i-1].Value
				if recursive && key == "$recursiveRef" || anchor != "" && key == "$dynamicRef" && item.Value == "#"+anchor {
					c.steps[item] = step{target: n}
				}
			}
			bind(item)
		}
	}
	bind(n)
}
