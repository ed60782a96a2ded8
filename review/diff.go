package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Report is what changed between two surfaces.
type Report struct {
	OldTools, NewTools int
	Changes            []Change // the server's first, then by tool
}

// Count returns how many changes have the grade.
func (r *Report) Count(g Grade) int {
	n := 0
	for _, c := range r.Changes {
		if c.Grade == g {
			n++
		}
	}
	return n
}

// Diff compares two surfaces. What only one of them knows is not compared.
func Diff(old, new *Surface) *Report {
	r := &Report{OldTools: len(old.Tools), NewTools: len(new.Tools)}
	if old.Server != nil && new.Server != nil {
		r.server(old.Server, new.Server)
	}
	pairs := match(old, new)
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.name(), b.name()) })
	for _, p := range pairs {
		r.pair(p, new.Skipped)
	}
	return r
}

func (r *Report) add(c Change) { r.Changes = append(r.Changes, c) }

// pair compares what was one tool with what it is now.
func (r *Report) pair(p pair, skipped map[string]string) {
	switch {
	case p.old == nil:
		r.add(Change{Tool: p.new.Name, Rule: "tool-added", Grade: Safe, Message: "tool added" + calls(p.new)})
		return
	case p.new == nil:
		message := "tool removed" + calls(p.old)
		if p.old.Request != nil && skipped[p.old.Request.Calls] != "" {
			message += ": the operation is left out now as " + skipped[p.old.Request.Calls]
		}
		r.add(Change{Tool: p.old.Name, Rule: "tool-removed", Grade: Breaking, Message: message})
		return
	case p.old.Name != p.new.Name:
		r.add(Change{Tool: p.new.Name, Rule: "tool-renamed", Grade: Breaking, Old: p.old.Name, New: p.new.Name,
			Message: "tool renamed, was " + quote(p.old.Name)})
	}
	before := len(r.Changes)
	r.tool(p.old, p.new)
	if len(r.Changes) == before {
		r.details(p.old, p.new)
	}
}

// details tells what no rule is about, so that nothing that a lock pins changes
// without a word.
func (r *Report) details(old, new *Tool) {
	var paths []string
	differences(old.object.Without("name"), new.object.Without("name"), "", &paths)
	if len(paths) > 0 {
		r.add(Change{Tool: new.Name, Rule: "detail-changed", Grade: Safe, Message: "changed in details: " + quoteAll(paths)})
	}
}

// differences finds the paths at which two values differ.
func differences(a, b *node.Node, at string, paths *[]string) {
	switch {
	case same(a, b):
	case !a.IsMap() || !b.IsMap():
		*paths = append(*paths, at)
	default:
		names := map[string]bool{}
		for _, n := range []*node.Node{a, b} {
			for key := range n.Pairs() {
				names[key.Value] = true
			}
		}
		for _, key := range slices.Sorted(maps.Keys(names)) {
			x, y := a.Get(key), b.Get(key)
			if key == "required" {
				x, y = sorted(x), sorted(y)
			}
			differences(x, y, member(at, key), paths)
		}
	}
}

func calls(t *Tool) string {
	if t.Request == nil {
		return ""
	}
	return " (" + quote(t.Request.Calls) + ")"
}

// server compares what the tools share.
func (r *Report) server(old, new *Server) {
	if old.Name != new.Name {
		r.add(Change{Rule: "server-renamed", Grade: Risky, Old: old.Name, New: new.Name,
			Message: fmt.Sprintf("renamed from %s to %s, which hosts put before the names of tools", quote(old.Name), quote(new.Name))})
	}
	r.prose(Change{Message: "instructions", Old: old.Instructions, New: new.Instructions})
	if a, b := strings.Join(old.Upstreams, ", "), strings.Join(new.Upstreams, ", "); a != b {
		r.add(Change{Rule: "server-moved", Grade: Risky, Old: a, New: b, Message: "requests go to " + addressText(b) + ", went to " + addressText(a)})
	}
	for _, s := range new.Schemes {
		i := slices.IndexFunc(old.Schemes, func(o Scheme) bool { return o.Name == s.Name })
		switch {
		case i < 0:
			r.add(Change{Rule: "scheme-changed", Grade: Risky, New: s.How,
				Message: fmt.Sprintf("security scheme %s added: %s", quote(s.Name), quote(s.How))})
		case old.Schemes[i].How != s.How:
			r.add(Change{Rule: "scheme-changed", Grade: Risky, Old: old.Schemes[i].How, New: s.How,
				Message: fmt.Sprintf("security scheme %s is %s, was %s", quote(s.Name), quote(s.How), quote(old.Schemes[i].How))})
		}
	}
	for _, s := range old.Schemes {
		if !slices.ContainsFunc(new.Schemes, func(n Scheme) bool { return n.Name == s.Name }) {
			r.add(Change{Rule: "scheme-changed", Grade: Safe, Old: s.How,
				Message: fmt.Sprintf("security scheme %s removed", quote(s.Name))})
		}
	}
}

func addressText(s string) string {
	if s == "" {
		return "no address of the document"
	}
	return quote(s)
}

// prose compares texts of which c.Message says whose they are. Words decide what
// a model does, so only a text that keeps all its words is safe to change.
func (r *Report) prose(c Change) {
	if c.Old == c.New {
		return
	}
	c.Rule = "description-changed"
	switch {
	case c.Old == "":
		c.Grade, c.Message = Safe, c.Message+" added"
	case c.New == "":
		c.Grade, c.Message = Risky, c.Message+" removed"
	case slices.Equal(bareWords(c.Old), bareWords(c.New)):
		c.Grade, c.Message = Safe, c.Message+" changed in punctuation or space alone"
	default:
		c.Grade, c.Message = Risky, c.Message+" changed"
	}
	c.words = true
	r.add(c)
}
