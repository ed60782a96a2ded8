package gofunc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// headerKeyword names the header that repeats an argument over HTTP (MCP
// 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters").
const headerKeyword = "x-mcp-header"

// headers collects what becomes a header.
type headers struct {
	names    []string // in lower case
	problems []string
}

// checkHeaders reports headers that the protocol forbids: of anything but text,
// integers and booleans, of items, and two of one name. One such tool makes
// clients refuse it.
func (r *packageReader) checkHeaders(c *callable, verb string, d *document) bool {
	var h headers
	h.find(d.root, "", true)
	if verb != "tool" && len(h.names) > 0 {
		h.problems = []string{"only the arguments of a tool become headers"}
	}
	for _, problem := range h.problems {
		r.error(c, "bad-constraint", "", "header: %s", problem)
	}
	return len(h.problems) == 0
}

// find goes through a schema. direct says that only properties lead there.
func (h *headers) find(n *node.Node, path string, direct bool) {
	if name := n.Get(headerKeyword).Text(); name != "" {
		h.add(n, strings.ToLower(name), path, direct)
	}
	for key, value := range n.Pairs() {
		switch key.Value {
		case "properties":
			for name, property := range value.Pairs() {
				h.find(property, strings.TrimPrefix(path+"."+name.Value, "."), direct)
			}
		case "$defs":
			for name, def := range value.Pairs() {
				h.find(def, name.Value, false)
			}
		case "items", "additionalProperties":
			h.find(value, path+"[]", false)
		}
	}
}

func (h *headers) add(n *node.Node, name, path string, direct bool) {
	fail := func(format string, args ...any) {
		h.problems = append(h.problems, path+" "+fmt.Sprintf(format, args...))
	}
	kind := schemaKind(n)
	switch {
	case !direct:
		fail("is not one value of the call")
	case kind != "string" && kind != "integer" && kind != "boolean":
		fail("is no text, integer or boolean")
	case slices.Contains(h.names, name):
		fail("has the same header as another argument, %s", name)
	}
	h.names = append(h.names, name)
}
