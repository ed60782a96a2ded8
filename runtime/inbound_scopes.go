package runtime

import (
	"slices"
	"strings"
)

// scopeSets are the alternatives of a tool's scopes: one whole set is needed.
// None: no scope is.
type scopeSets [][]string

// scopesOf are the scopes of the tools that need some.
func scopesOf(tools []Tool) map[string]scopeSets {
	byTool := map[string]scopeSets{}
	for _, t := range tools {
		for _, alternative := range t.Scopes {
			byTool[t.Name] = append(byTool[t.Name], strings.Fields(alternative))
		}
	}
	return byTool
}

// allScopes lists every scope that some tool needs, in order.
func allScopes(tools map[string]scopeSets) []string {
	var all []string
	for _, sets := range tools {
		for _, set := range sets {
			all = append(all, set...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// allow reports whether the scopes suffice.
func (s scopeSets) allow(granted []string) bool {
	return len(s) == 0 || slices.ContainsFunc(s, func(set []string) bool {
		return !slices.ContainsFunc(set, func(scope string) bool { return !slices.Contains(granted, scope) })
	})
}

// first is the set to ask for, nil if none is needed.
func (s scopeSets) first() []string {
	if len(s) == 0 {
		return nil
	}
	return s[0]
}

// wanted are the scopes of a token that would do: what is needed, and what is
// granted already of all that this server knows, lest the client lose it.
func (s scopeSets) wanted(granted, known []string) []string {
	wanted := slices.Clone(s.first())
	for _, scope := range granted {
		if slices.Contains(known, scope) && !slices.Contains(wanted, scope) {
			wanted = append(wanted, scope)
		}
	}
	return wanted
}
