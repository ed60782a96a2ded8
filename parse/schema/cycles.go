package schema

// scc is the state of a def in the search for cycles (Tarjan, Depth-first search
// and linear graph algorithms, 1972).
type scc struct {
	order, low int
	open       bool
	recursive  bool // the def refers to itself, directly or through others
	looked     look
}

// look is how far untangle is with a def.
type look uint8

const (
	unseen look = iota
	around
	done
)

// visit converts d and everything that it refers to, once, and finds out what
// is recursive.
func (v *conversion) visit(d *def) {
	if d.order > 0 {
		return
	}
	v.order++
	d.order, d.low, d.open = v.order, v.order, true
	v.open = append(v.open, d)
	d.body, d.err = v.body(d.node, d.name)
	if d.err == nil {
		for _, p := range d.body.rest {
			if p.link == nil {
				continue
			}
			to := p.link.to
			v.visit(to)
			if to.open {
				d.low = min(d.low, to.low)
			}
			d.recursive = d.recursive || to == d
		}
	}
	if d.low < d.order {
		return
	}
	cycle := v.open[len(v.open)-1] != d
	for {
		last := v.open[len(v.open)-1]
		v.open = v.open[:len(v.open)-1]
		last.open = false
		last.recursive = last.recursive || cycle
		if last == d {
			return
		}
	}
}

// untangle cuts compositions that come round to the same value: a validator
// would never end. d and all it refers to have been visited. Only a document
// that makes no sense has them, for instance oneOf in a child that is itself in
// the parent's allOf.
func (v *conversion) untangle(d *def) {
	if d.looked != unseen || d.body == nil {
		return
	}
	d.looked = around
	for i, p := range d.body.rest {
		switch {
		case p.link == nil || !p.link.inPlace:
		case p.link.to.looked == around:
			d.body.rest[i] = piece{text: p.text + "{}"}
			d.body.fixed += len("{}")
		default:
			v.untangle(p.link.to)
		}
	}
	d.looked = done
}
