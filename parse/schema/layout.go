package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// inlineLimit is the size in bytes from which on a schema shares what it uses
// more than once. Many clients resolve no $ref; none should read the same thing
// over and over.
const inlineLimit = 8 << 10

// layout decides, for the schema of one tool, which defs are written in place
// and which go to $defs. Sizes are computed on the graph of defs: written out,
// it can be exponentially larger.
type layout struct {
	root     []piece
	total    int    // bytes of the whole; names that had to be made distinct come on top
	mentions []*use // every def that is reached, by first mention
	bottomUp []*use // the same; what a def writes in place comes before it
}

// use is a def in one tool.
type use struct {
	def    *def
	shared bool
	name   string // key in $defs
	size   int    // bytes of the schema written out, with the decisions so far
	count  int    // times it would be written
}

// Bounds that keep the product of a size and a count inside an int.
const (
	maxSize  = 1 << 40
	maxTimes = 1 << 20
)

// arrange makes the layout for the pieces of a schema. It must be released.
func (v *conversion) arrange(root []piece) (*layout, error) {
	l := &layout{root: root}
	if err := l.gather(v, root); err != nil {
		l.release()
		return nil, err
	}
	if l.measure() < inlineLimit {
		return l, nil
	}
	// When even sharing everything does not fit, no order of sharing matters.
	l.shareAll()
	if l.measure() >= inlineLimit {
		return l, nil
	}
	for _, u := range l.mentions {
		u.shared = u.def.recursive
	}
	for l.measure() >= inlineLimit {
		l.count()
		best, most := (*use)(nil), 0
		for _, u := range l.mentions {
			if s := u.saving(); !u.shared && s > most {
				best, most = u, s
			}
		}
		if best == nil {
			break
		}
		best.shared = true
	}
	return l, nil
}

// gather finds what the pieces refer to. What is recursive is shared at once.
func (l *layout) gather(v *conversion, pieces []piece) error {
	for _, p := range pieces {
		if p.link == nil || p.link.to.use != nil {
			continue
		}
		d := p.link.to
		v.visit(d)
		v.untangle(d)
		if d.err != nil {
			return d.err
		}
		d.use = &use{def: d, shared: d.recursive, name: d.name}
		l.mentions = append(l.mentions, d.use)
		if err := l.gather(v, d.body.rest); err != nil {
			return err
		}
		l.bottomUp = append(l.bottomUp, d.use)
	}
	return nil
}

// release frees the defs for the next layout.
func (l *layout) release() {
	for _, u := range l.mentions {
		u.def.use = nil
	}
}

// measure computes all sizes and returns that of the whole.
func (l *layout) measure() int {
	total := 0
	for _, u := range l.bottomUp {
		u.measure()
		if u.shared {
			total = min(total+u.entry(), maxSize)
		}
	}
	if total > 0 {
		total += len(`,"$defs":{}`) - 1 // one comma less than entries
	}
	for _, p := range l.root {
		total = min(total+len(p.text)+p.link.size(), maxSize)
	}
	l.total = total + len("}")
	return l.total
}

// measure computes the size of a def, when those it writes in place have one.
func (u *use) measure() {
	inside := u.def.body.fixed
	for _, p := range u.def.body.rest {
		inside = min(inside+p.link.size(), maxSize)
	}
	u.size = inside + len("}") // the brace before takes the first comma's place
	if inside == 0 {
		u.size = len("{}")
	}
}

// entry is the size of a def in $defs, with the comma that parts it.
func (u *use) entry() int { return len(u.name) + len(`,"":`) + u.size }

// reference is the size of a $ref to a def.
func (u *use) reference() int { return len(refStart) + len(u.name) + len(refEnd) }

const refStart, refEnd = `{"$ref":"#/$defs/`, `"}`

// size is what a link takes where it stands; nil takes nothing.
func (k *link) size() int {
	if k == nil {
		return 0
	}
	u := k.to.use
	b := u.def.body
	size, over := u.size, 0
	if u.shared {
		size = u.reference()
	}
	for i, note := range k.notes {
		if over += len(note); note != "" && !u.shared && !k.wrapped() {
			size -= len(b.notes[i])
		}
	}
	switch {
	case k.wrapped():
		size += len(nullStart) + len(nullEnd)
	case k.null:
		size += len(b.nullKind) - len(b.kind)
	case over > 0 && size == len("{}"):
		size-- // the brace now has a comma to replace
	}
	return size + over
}

// A schema that may also be null, when it cannot say so itself.
const nullStart, nullEnd = `,"anyOf":[`, `,{"type":"null"}]}`

// wrapped reports whether the link needs that.
func (k *link) wrapped() bool { return k.null && (k.to.use.shared || k.to.body.nullKind == "") }

// count computes how often each def would be written.
func (l *layout) count() {
	for _, u := range l.bottomUp {
		u.count = 0
	}
	add := func(pieces []piece, times int) {
		for _, p := range pieces {
			if p.link != nil {
				to := p.link.to.use
				to.count = min(to.count+times, maxTimes)
			}
		}
	}
	add(l.root, 1)
	for _, u := range slices.Backward(l.bottomUp) {
		if u.shared {
			add(u.def.body.rest, 1)
		} else {
			add(u.def.body.rest, u.count)
		}
	}
}

// saving is how many bytes sharing a def saves.
func (u *use) saving() int {
	return u.count*(u.size-u.reference()) - u.entry()
}

// shareAll shares everything that is worth it. A def is then written once, so
// that only its mentions count; what a def mentions is decided before it.
func (l *layout) shareAll() {
	for _, u := range l.mentions {
		u.shared = true
	}
	l.count()
	for _, u := range l.bottomUp {
		u.measure()
		u.shared = u.def.recursive || u.saving() > 0
	}
}

// encode writes the schema.
func (l *layout) encode() []byte {
	dst := make([]byte, 0, l.total+64)
	shared := slices.DeleteFunc(slices.Clone(l.mentions), func(u *use) bool { return !u.shared })
	taken := make(map[string]bool, len(shared))
	for _, u := range shared {
		for i := 2; taken[u.name]; i++ {
			u.name = u.def.name + "_" + strconv.Itoa(i)
		}
		taken[u.name] = true
	}
	slices.SortFunc(shared, func(a, b *use) int { return strings.Compare(a.name, b.name) })
	dst = appendPieces(dst, l.root)
	if len(shared) == 0 {
		return append(dst, '}')
	}
	dst = append(dst, `,"$defs":`...)
	for i, u := range shared {
		dst = append(dst, "{,"[min(i, 1)])
		dst = append(node.AppendString(dst, u.name), ':')
		dst = u.def.body.append(dst, nil)
	}
	return append(dst, "}}"...)
}

func appendPieces(dst []byte, pieces []piece) []byte {
	for _, p := range pieces {
		if dst = append(dst, p.text...); p.link != nil {
			dst = p.link.append(dst)
		}
	}
	return dst
}

// append writes what a link stands for.
func (k *link) append(dst []byte) []byte {
	u := k.to.use
	if k.wrapped() {
		at := len(dst)
		for _, note := range k.notes {
			dst = append(dst, note...)
		}
		dst = append(dst, nullStart...)
		dst[at] = '{'
		dst = (&link{to: k.to}).append(dst)
		return append(dst, nullEnd...)
	}
	if !u.shared {
		return k.to.body.append(dst, k)
	}
	dst = append(append(append(dst, refStart...), u.name...), '"')
	for _, note := range k.notes {
		dst = append(dst, note...)
	}
	return append(dst, '}')
}

// append writes a body where the link stands, or in $defs for a nil link.
func (b *body) append(dst []byte, k *link) []byte {
	at := len(dst)
	if k != nil && k.null {
		dst = append(dst, b.nullKind...)
	} else {
		dst = append(dst, b.kind...)
	}
	for i, note := range b.notes {
		if k != nil && k.notes[i] != "" {
			note = k.notes[i]
		}
		dst = append(dst, note...)
	}
	if dst = appendPieces(dst, b.rest); len(dst) == at {
		dst = append(dst, ',')
	}
	dst[at] = '{' // in place of the first comma
	return append(dst, '}')
}
