package ir

import (
	"cmp"
	"slices"
)

// Sort puts the server in the order the output has: groups, tools and schemes
// by name, skips by position. A front end calls it once, last.
func (s *Server) Sort() {
	slices.SortFunc(s.Groups, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	for i := range s.Groups {
		sortTools(s.Groups[i].Tools)
	}
	slices.SortFunc(s.Auth, func(a, b Auth) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(s.Skips, func(a, b Skip) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.What, b.What),
		)
	})
}

func sortTools(tools []*Tool) {
	slices.SortFunc(tools, func(a, b *Tool) int { return cmp.Compare(a.Name, b.Name) })
}
