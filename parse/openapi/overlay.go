package openapi

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// An overlay is read as the OpenAPI Overlay Specification 1.1 says, which keeps
// what 1.0 allows; only copy is new. In one point we are stricter: an action
// that selects nothing is an error, since it was written to select something.

// The codes of what can be wrong with an overlay.
const (
	codeOverlay   = "bad-overlay"
	codeNoMatch   = "overlay-no-match"
	codeQuery     = "bad-jsonpath"
	codeKinds     = "overlay-conflict"
	overlayFields = "an overlay is a mapping with overlay: 1.1.0, info and actions"
)

// action is one change.
type action struct {
	node   *node.Node // the Action Object
	target *query
	remove bool
	update *node.Node // nil: nothing to merge
	from   *query     // copy; nil: nothing to copy
}

// query is a JSONPath (RFC 9535).
type query struct {
	*jsonpath.Path
	node *node.Node // its text
}

// overlay applies the overlays that the user named to the root document. It
// reports false after an error.
func (f *files) overlay(root *node.File) bool {
	if len(f.opts.Overlays) == 0 {
		return true
	}
	p := &patcher{root: root.Root, views: map[*node.Node]any{}}
	var overlays []*node.File
	ok := true
	fail := func(err *schema.Error) {
		if f.opts.OtherVersion && err.Code == codeNoMatch {
			return
		}
		f.diags.Error(err.Pos, err.Code, err.Hint, "%s", err.Message)
		ok = false
	}
	for _, source := range f.opts.Overlays {
		file, err := f.readOverlay(source)
		if err != nil {
			fail(err)
			continue
		}
		overlays = append(overlays, file)
		f.checkExtends(file, root)
		actions, err := f.readActions(file.Root)
		if err != nil {
			fail(err)
			continue
		}
		for i := range actions {
			if err := p.apply(&actions[i]); err != nil {
				fail(err)
			}
		}
	}
	// From here on what overlays added is part of the document: references in it
	// start from the document's root and folder. Only positions stay.
	root.Root = p.root
	for _, file := range overlays {
		file.Root, file.Location = root.Root, root.Location
	}
	return ok
}

// readOverlay reads one file or, if the network is allowed, one address. The
// user named it, so it may lie anywhere.
func (f *files) readOverlay(source string) (*node.File, *schema.Error) {
	if isRemote(source) {
		u, err := url.Parse(source)
		if err != nil {
			return nil, fault(diag.Pos{File: source}, codeUnreadable, addressHint, "it is not a web address")
		}
		return f.remote(u)
	}
	path := localPath(source)
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fault(diag.Pos{File: path}, codeUnreadable, "", "%v", err)
	}
	r, err := os.Open(abs)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer r.Close()
	file := &node.File{Name: path, Location: abs}
	data, failure := readAll(r, 0, path)
	if failure == nil {
		failure = f.parse(file, data)
	}
	if failure != nil {
		return nil, failure
	}
	return file, nil
}

// checkExtends warns of an overlay that was made for another document. Copies
// of a document under its own name are usual, so only names are compared.
func (f *files) checkExtends(file, root *node.File) {
	extends := file.Root.Get("extends")
	if extends == nil || extends.Kind != node.String {
		return
	}
	if want, got := baseName(extends.Value), baseName(root.Location); want != got {
		f.diags.Warn(extends.Pos(), "overlay-extends", "the overlay extends %s and is applied to %s", quote(extends.Value), quote(got))
	}
}

// readActions checks an overlay and returns what it does.
func (f *files) readActions(root *node.Node) ([]action, *schema.Error) {
	version := root.Get("overlay")
	switch {
	case root.Has("openapi") || root.Has("swagger"):
		return nil, fault(root.Pos(), codeOverlay, "give the document as SOURCE, and its overlays with -overlay", "it is an OpenAPI document and no overlay")
	case version == nil:
		return nil, fault(root.Pos(), codeOverlay, overlayFields, "the file does not say which version of Overlay it is")
	case !hasVersion(version.Text(), "1.0", "1.1"):
		return nil, fault(version.Pos(), "unsupported-version", "Overlay 1.0 and 1.1 can be read", "Overlay version %q is not supported", version.Text())
	}
	f.unknownIn(root, "overlay", "info", "extends", "actions")
	list := root.Get("actions")
	if len(list.List()) == 0 {
		return nil, fault(root.Pos(), codeOverlay, overlayFields, "the overlay has no list of actions")
	}
	actions := make([]action, len(list.Items))
	for i, item := range list.Items {
		var err *schema.Error
		if actions[i], err = f.readAction(item, hasVersion(version.Text(), "1.0")); err != nil {
			return nil, err
		}
	}
	return actions, nil
}

func (f *files) readAction(n *node.Node, one bool) (action, *schema.Error) {
	a := action{node: n, update: n.Get("update")}
	if !n.IsMap() {
		return a, fault(n.Pos(), codeOverlay, "an action has a target, and update, remove or copy", "an action is a %s and must be a mapping", n.Kind)
	}
	f.unknownIn(n, "target", "description", "update", "remove", "copy")
	var err *schema.Error
	if a.target, err = readQuery(n, "target"); err != nil {
		return a, err
	}
	if remove := n.Get("remove"); remove != nil && remove.Kind != node.Bool {
		return a, fault(remove.Pos(), codeOverlay, "write remove: true, or leave it out", "remove is a %s and must be true or false", remove.Kind)
	}
	a.remove = n.Get("remove").Is(true)
	switch from := n.Key("copy"); {
	case from == nil && a.update == nil && !n.Has("remove"):
		f.diags.Add(diag.Diagnostic{Pos: n.Pos(), Severity: diag.Warning, Code: "empty-action",
			Message: "the action does nothing", Hint: "add update, remove: true or copy"})
		return a, nil
	case from == nil || a.remove:
		return a, nil
	case one:
		return a, fault(from.Pos(), codeOverlay, "write overlay: 1.1.0", "Overlay 1.0 has no copy")
	case a.update != nil:
		return a, fault(from.Pos(), codeOverlay, "make two actions of them", "the action has update and copy")
	}
	a.from, err = readQuery(n, "copy")
	return a, err
}

func readQuery(n *node.Node, key string) (*query, *schema.Error) {
	text := n.Get(key)
	if text == nil || text.Kind != node.String {
		return nil, fault(n.Pos(), codeOverlay, `write a JSONPath query, for example target: $.paths["/pets"].get`, "the action has no %s, which must be text", key)
	}
	path, err := jsonpath.Parse(text.Value)
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "jsonpath: ")
		return nil, fault(text.Pos(), codeQuery, "queries are written as RFC 9535 says; a name with other signs than letters, digits and _ stands in brackets: $['x-name']", "%s is no JSONPath query: %s", quote(text.Value), message)
	}
	return &query{path, text}, nil
}

// unknownIn warns of keys that an object of an overlay does not have.
func (f *files) unknownIn(n *node.Node, known ...string) {
	for key := range n.Pairs() {
		if strings.HasPrefix(key.Value, "x-") || slices.Contains(known, key.Value) {
			continue
		}
		hint := "remove it, or begin its name with x-"
		if near := diag.Nearest(key.Value, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		f.diags.Add(diag.Diagnostic{Pos: key.Pos(), Severity: diag.Warning, Code: "unknown-key", Hint: hint,
			Message: key.Value + " is an unknown key; it is ignored"})
	}
}
