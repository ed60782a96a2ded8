package schema

// scc is the state of a def in the search for cycles (Tarjan, Depth-first search
// and linear graph algorithms, 1972).
type scc struct {
	order, low int
	open       bool
	recursive  bool // the def refers to itself, directly or through others
}

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
