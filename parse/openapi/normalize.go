package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// normalizer fills a Document from its tree: it follows the references of the
// structure, repairs what authors get wrong, and types the result. Objects that
// several operations refer to are done, and reported, once.
type normalizer struct {
	doc    *Document
	refs   *resolver
	diags  *diag.List
	two    bool       // Swagger 2.0
	root   *node.Node // the document's root
	shown  *node.Node // what x-mcp says of the whole document
	choice *selection
	label  string // what is being read, for messages: "operation getPet: "
	warned map[warning]bool

	params    map[*node.Node]*param
	bodies    map[*node.Node]*body
	responses map[responseKey]*response
}

type warning struct {
	at   *node.Node
	code string
	name string
}

func newNormalizer(d *Document, choice *selection, diags *diag.List) *normalizer {
	return &normalizer{
		doc: d, refs: d.refs, choice: choice, diags: diags,
		two:       d.root.Root.Get("openapi") == nil,
		warned:    map[warning]bool{},
		params:    map[*node.Node]*param{},
		bodies:    map[*node.Node]*body{},
		responses: map[responseKey]*response{},
	}
}

// warn reports what is wrong at a node, once, however many operations share it.
func (n *normalizer) warn(at *node.Node, code, format string, args ...any) {
	n.warnHint(at, code, "", format, args...)
}

func (n *normalizer) warnHint(at *node.Node, code, hint, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	w := warning{at, code, message}
	if n.warned[w] {
		return
	}
	n.warned[w] = true
	n.diags.Add(diag.Diagnostic{Pos: at.Pos(), Severity: diag.Warning, Code: code, Message: n.label + message, Hint: hint})
}

// held runs read and returns what it has to report, for the caller to add or not.
func (n *normalizer) held(read func()) *diag.List {
	held, all := &diag.List{}, n.diags
	n.diags = held
	defer func() { n.diags = all }()
	read()
	return held
}

// document reads everything. Its error is one that leaves nothing to read.
func (n *normalizer) document(root *node.Node) *schema.Error {
	d := n.doc
	d.Info = n.object(root.Get("info"), infoShape, "info")
	d.Tags = n.tags(root.Get("tags"))
	d.Extensions = extensions(root)
	n.shown = n.exposure(root, nil)
	d.Security = n.security(root.Get("security"), "security")
	d.Servers = n.servers(root.Get("servers"), "servers")
	schemes := root.Get("securityDefinitions")
	n.unknownKeys(root, rootShape, "")
	if n.two {
		n.root = n.repairFields(root, rootShape, "")
		d.Servers = n.servers2(nil)
	} else {
		components, err := n.mapping(root.Get("components"), "components")
		if err != nil {
			n.warn(root.Get("components"), err.Code, "components is ignored: %s", err.Message)
		}
		n.unknownKeys(components, componentsShape, "components.")
		schemes = components.Get("securitySchemes")
	}
	n.securitySchemes(schemes)
	for _, key := range []string{"webhooks", "x-webhooks"} {
		hooks, _ := n.mapping(root.Get(key), key)
		for name := range hooks.Pairs() {
			if !strings.HasPrefix(name.Value, "x-") {
				d.Webhooks++
			}
		}
	}
	paths, err := n.mapping(root.Get("paths"), "paths")
	if err != nil {
		return err
	}
	for key, item := range paths.Pairs() {
		if !strings.HasPrefix(key.Value, "x-") {
			n.pathItem(key, item)
		}
	}
	return nil
}

func extensions(root *node.Node) *node.Node {
	out := node.Map(root)
	for k, v := range root.Pairs() {
		if strings.HasPrefix(k.Value, "x-") {
			out.Items = append(out.Items, k, v)
		}
	}
	return out
}

// object returns v, followed and repaired, or nil. Damage is a warning.
func (n *normalizer) object(v *node.Node, s shape, name string) *node.Node {
	out, err := n.mapping(v, name)
	if err != nil {
		n.warn(v, err.Code, "%s is ignored: %s", name, err.Message)
	}
	if out == nil {
		return nil
	}
	return n.repair(out, s, name+".")
}

// objects is object for each item of a list; nil when there is none.
func (n *normalizer) objects(v *node.Node, s shape, name string) *node.Node {
	items, err := n.list(v, name)
	if err != nil {
		n.warn(v, err.Code, "%s is ignored: %s", name, err.Message)
	}
	var out []*node.Node
	for i, item := range items {
		if o := n.object(item, s, fmt.Sprintf("%s[%d]", name, i)); o != nil {
			out = append(out, o)
		}
	}
	if out == nil {
		return nil
	}
	return node.Seq(v, out...)
}

// tags also takes bare names.
func (n *normalizer) tags(v *node.Node) *node.Node {
	items, _ := n.list(v, "tags")
	wrapped := make([]*node.Node, len(items))
	for i, item := range items {
		if wrapped[i] = item; len(item.Items) == 0 && item.Kind != node.Null {
			wrapped[i] = node.Map(item, node.Str(item, "name"), item)
		}
	}
	if len(wrapped) == 0 {
		return nil
	}
	return n.objects(node.Seq(v, wrapped...), tagShape, "tags")
}

// servers returns a list of servers, or nil: an empty list says nothing.
func (n *normalizer) servers(v *node.Node, name string) *node.Node {
	items, err := n.list(v, name)
	if err != nil {
		n.warn(v, err.Code, "%s is ignored: %s", name, err.Message)
	}
	var out []*node.Node
	for i, item := range items {
		part := fmt.Sprintf("%s[%d]", name, i)
		if item.Kind == node.String {
			n.warn(item, "wrong-type", "%s is a string, read as its url", part)
			item = node.Map(item, node.Str(item, "url"), item)
		}
		server := n.object(item, serverShape, part)
		if server == nil {
			continue
		}
		if variables := n.object(server.Get("variables"), nil, part+".variables"); variables != nil {
			for k, variable := range variables.Pairs() {
				if fixed := n.object(variable, variableShape, part+".variables."+k.Value); fixed != nil {
					variables = variables.With(k.Value, fixed)
				} else {
					variables = variables.Without(k.Value)
				}
			}
			server = server.With("variables", variables)
		}
		out = append(out, server)
	}
	if out == nil {
		return nil
	}
	return node.Seq(v, out...)
}

// security returns a list of requirements: mappings of scheme to scopes. nil
// means that nothing is said, an empty list that no credential is needed.
func (n *normalizer) security(v *node.Node, name string) *node.Node {
	items, err := n.list(v, name)
	if err != nil {
		n.warn(v, err.Code, "%s is ignored: %s", name, err.Message)
	}
	if items == nil && (v == nil || v.Kind != node.Sequence) {
		return nil
	}
	out := node.Seq(v)
	for _, item := range items {
		switch item.Kind {
		case node.Mapping:
			for k, scopes := range item.Pairs() {
				fixed := n.coerce(scopes, asTexts, name+"."+k.Value)
				if fixed == nil {
					fixed = node.Seq(scopes)
				}
				if fixed != scopes {
					item = item.With(k.Value, fixed)
				}
			}
			out.Items = append(out.Items, item)
		case node.String:
			n.warn(item, "wrong-type", "%s holds the text %q, read as a requirement of that scheme", name, item.Value)
			out.Items = append(out.Items, node.Map(item, item, node.Seq(item)))
		default:
			n.warn(item, "wrong-type", "%s holds a %s; it is ignored", name, item.Kind)
		}
	}
	return out
}

func (n *normalizer) securitySchemes(v *node.Node) {
	schemes, err := n.mapping(v, "securitySchemes")
	if err != nil {
		n.warn(v, err.Code, "securitySchemes is ignored: %s", err.Message)
	}
	for key, v := range schemes.Pairs() {
		name := "security scheme " + key.Value
		scheme, err := n.follow(v, aScheme, name)
		if err == nil && !scheme.IsMap() {
			err = fault(v.Pos(), "wrong-type", mappingHint, "it is a %s", scheme.Kind)
		}
		if err != nil {
			n.warn(v, err.Code, "%s is ignored: %s", name, err.Message)
			continue
		}
		scheme = n.repair(scheme, schemeShape, name+": ")
		if n.two {
			scheme = securityScheme2(scheme)
		}
		if flows := n.object(scheme.Get("flows"), nil, name+": flows"); flows != nil {
			for k, flow := range flows.Pairs() {
				if fixed := n.object(flow, flowShape, name+": flows."+k.Value); fixed != nil && fixed != flow {
					flows = flows.With(k.Value, fixed)
				}
			}
			scheme = scheme.With("flows", flows)
		}
		n.doc.SecuritySchemes = append(n.doc.SecuritySchemes, Named{key.Value, scheme})
	}
}

// follow returns what an object stands for: itself, or the target of its $ref,
// which must be of the kind that is wanted.
// A description or summary beside the $ref holds for this use alone (OpenAPI
// 3.1, Reference Object): the target is copied, never changed. We grant it to
// older documents too, as nobody writes one there to see it ignored.
func (n *normalizer) follow(v *node.Node, want kind, name string) (*node.Node, *schema.Error) {
	if link(v) == nil {
		return v, nil
	}
	first := v
	var notes, chain, seen []*node.Node
	for ref := link(v); ref != nil; ref = link(v) {
		for k, value := range v.Pairs() {
			switch {
			case k.Value == "description" || k.Value == "summary":
				notes = append(notes, k, value)
			case k.Value == "example" || k.Value == "examples":
			case k.Value != "$ref" && !strings.HasPrefix(k.Value, "x-"):
				n.warn(k, "ignored-sibling", "%s: %s beside a $ref means nothing", name, k.Value)
			}
		}
		chain, seen = append(chain, ref), append(seen, v)
		target, err := n.refs.resolve(ref)
		if err != nil {
			return nil, err
		}
		if slices.Contains(seen, target) {
			return nil, loop(chain)
		}
		if err := n.refs.fits(ref, target, want); err != nil {
			return nil, err
		}
		v = target
	}
	if v.Kind == node.Null || v.IsMap() {
		for i := len(notes) - 2; i >= 0 && v.IsMap(); i -= 2 { // those nearest to the use last: they win
			v = v.With(notes[i].Value, notes[i+1])
		}
		return v, nil
	}
	return nil, fault(first.Pos(), codeRefKind, "refer to an object, usually one of components", "$ref %q points to a %s", chain[0].Value, v.Kind)
}

// section is follow for mappings and lists that stand in several files. What a
// mapping holds beside its $ref is added to, and wins over, what it points to.
func (n *normalizer) section(v *node.Node) (*node.Node, *schema.Error) {
	var chain, seen []*node.Node
	out := v
	for ref := link(v); ref != nil; ref = link(v) {
		chain, seen = append(chain, ref), append(seen, v)
		target, err := n.refs.resolve(ref)
		if err != nil {
			return nil, err
		}
		if slices.Contains(seen, target) {
			return nil, loop(chain)
		}
		v, out = target, target
	}
	for i := len(seen) - 1; i >= 0 && out.IsMap(); i-- {
		for k, value := range seen[i].Pairs() {
			if k.Value != "$ref" {
				out = with(out, k, value)
			}
		}
	}
	return out, nil
}

// with is [node.Node.With] that keeps the position of the key.
func with(n, key, value *node.Node) *node.Node {
	if n.Has(key.Value) {
		return n.With(key.Value, value)
	}
	return &node.Node{
		Kind: n.Kind, File: n.File, Line: n.Line, Col: n.Col,
		Items: append(slices.Clone(n.Items), key, value),
	}
}
