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
// comes back to its start is an error: nothing on it says anything.
func (c *Converter) deref(ref *node.Node) (*node.Node, error) {
	first := ref
	var seen []*node.Node
	for {
		target, err := c.step(ref)
		if err != nil {
			return nil, err
		}
		if i := slices.Index(seen, target); i >= 0 {
			return nil, c.aliasLoop(first, seen[i:])
		}
		own := c.normalise(target)
		if !isLink(own) || len(own.Items) > 2 {
			if c.names[target] == "" {
				c.names[target] = refName(ref)
			}
			return target, nil
		}
		seen = append(seen, target)
		ref = own.Get("$ref")
	}
}

// chase follows a link to the schema it stands for. It also returns the notes,
// and nullable, that were found on the way; those nearer to the use win.
func (c *Converter) chase(link *node.Node) (target, notes *node.Node, err error) {
	first := link.Get("$ref")
	notes = link.Without("$ref")
	var seen []*node.Node
	for {
		target, err = c.deref(link.Get("$ref"))
		if err != nil {
			return nil, nil, err
		}
		if i := slices.Index(seen, target); i >= 0 {
			return nil, nil, c.aliasLoop(first, seen[i:])
		}
		seen = append(seen, target)
		if link, err = c.flatten(target); err != nil {
			return nil, nil, err
		}
		if !isLink(link) {
			return target, notes, nil
		}
		nullable := notes.Get("nullable")
		notes = withNotes(link.Without("$ref"), notes).With("nullable", nullable)
	}
}

// aliasLoop describes references that lead round in a circle.
func (c *Converter) aliasLoop(ref *node.Node, targets []*node.Node) error {
	chain := make([]string, 0, len(targets)+1)
	name := refName(ref)
	for _, t := range targets {
		chain = append(chain, name)
		next := c.normalise(t).Get("$ref")
		if next == nil { // an allOf of nothing but a reference
			next = c.flats[t].level.Get("$ref")
		}
		name = refName(next)
	}
	return &Error{
		Pos: ref.Pos(), Code: "alias-loop",
		Message: "the reference leads back to itself: " + strings.Join(append(chain, chain[0]), " -> "),
		Hint:    "give one schema of the chain content of its own",
	}
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
