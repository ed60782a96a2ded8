package ir

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// Merge makes one server of two, such as an OpenAPI document and Go packages.
// Name, title and version are those of a where it has them. Tools, resources and
// prompts share one space of names: the same one in both is an error that gives
// both places. The result is sorted; a and b must not be used any more.
func Merge(a, b *Server, diags *diag.List) *Server {
	m := mergedNames{diags: diags}
	m.check("tool", toolNames(a), toolNames(b))
	m.check("resource", resourceNames(a), resourceNames(b))
	m.check("prompt", promptNames(a), promptNames(b))

	out := *a
	for _, pair := range []struct {
		to   *string
		from string
	}{{&out.Name, b.Name}, {&out.Title, b.Title}, {&out.Version, b.Version}} {
		if *pair.to == "" {
			*pair.to = pair.from
		}
	}
	out.Source = a.Source
	if b.Source != "" && out.Source != "" {
		out.Source += ", "
	}
	out.Source += b.Source
	out.Description = JoinText(a.Description, b.Description)
	out.Upstreams = slices.Concat(a.Upstreams, b.Upstreams)
	out.Auth = slices.Concat(a.Auth, b.Auth)
	out.Packages = slices.Concat(a.Packages, b.Packages)
	out.Plain = slices.Concat(a.Plain, b.Plain)
	out.Skips = slices.Concat(a.Skips, b.Skips)
	out.Found = a.Found + b.Found
	out.Excluded = a.Excluded + b.Excluded
	out.Groups = slices.Clone(a.Groups)
	for _, g := range b.Groups {
		i := slices.IndexFunc(out.Groups, func(o Group) bool { return o.Name == g.Name })
		if i < 0 {
			out.Groups = append(out.Groups, g)
			continue
		}
		out.Groups[i].Description = JoinText(out.Groups[i].Description, g.Description)
		out.Groups[i].Tools = slices.Concat(out.Groups[i].Tools, g.Tools)
	}
	out.Sort()
	return &out
}

type placedName struct {
	name string
	pos  diag.Pos
}

type mergedNames struct{ diags *diag.List }

// check reports names that stand in both lists. Tools are compared without
// case, as they are within one server.
func (m mergedNames) check(what string, a, b []placedName) {
	for _, n := range b {
		i := slices.IndexFunc(a, func(o placedName) bool { return strings.EqualFold(o.name, n.name) })
		if i >= 0 {
			m.diags.Error(n.pos, "duplicate-name", "give one of them another name",
				"%s %s: %s has the same name", what, n.name, a[i].pos)
		}
	}
}

func toolNames(s *Server) (names []placedName) {
	for _, t := range s.Tools() {
		names = append(names, placedName{t.Name, t.Pos})
	}
	return names
}

func resourceNames(s *Server) (names []placedName) {
	for _, p := range s.Packages {
		for _, r := range p.Resources {
			names = append(names, placedName{r.URI, r.Pos})
		}
	}
	return names
}

func promptNames(s *Server) (names []placedName) {
	for _, p := range s.Packages {
		for _, pr := range p.Prompts {
			names = append(names, placedName{pr.Name, pr.Pos})
		}
	}
	return names
}

// JoinText puts an empty line between two texts.
func JoinText(a, b string) string {
	if a == "" || b == "" || a == b {
		return a + strings.TrimPrefix(b, a)
	}
	return a + "\n\n" + b
}
