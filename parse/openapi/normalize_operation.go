package openapi

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// methods are the fields of a path item that hold operations (OpenAPI 3.2, Path
// Item Object).
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// pathItem reads the operations under one path, in the order they stand.
func (n *normalizer) pathItem(key, raw *node.Node) {
	n.label = "path " + key.Value + ": "
	o := Operation{Path: key.Value, Pointer: "#/paths/" + escapePointer(key.Value), Pos: key.Pos()}
	if !strings.HasPrefix(o.Path, "/") {
		n.warn(key, "path-without-slash", "a path starts with /, which is added")
		o.Path = "/" + o.Path
	}
	item, err := n.section(raw)
	switch {
	case err != nil && n.choice.excludes(&o) != "":
		return
	case err != nil:
		n.doc.skip("path "+o.Path, "all of "+o.Path, &o, err, n.diags)
		return
	case item.Kind == node.Null:
		n.warn(key, "null-path-item", "it is null and holds no operation")
		return
	case !item.IsMap():
		n.warn(raw, "wrong-type", "it is a %s and must be a mapping; it is ignored", item.Kind)
		return
	}
	o.PathItem = n.repairFields(item, pathItemShape, "")
	o.Servers = n.servers(item.Get("servers"), "servers")
	o.mcp = n.exposure(item, n.shown)
	for k, v := range item.Pairs() {
		lower := strings.ToLower(k.Value)
		switch {
		case lower == "additionaloperations":
			more, err := n.mapping(v, k.Value)
			if err != nil {
				n.warn(v, err.Code, "%s is ignored: %s", k.Value, err.Message)
			}
			for k2, v2 := range more.Pairs() {
				n.operation(o, k2, v2, k2.Value, "/"+k.Value+"/"+escapePointer(k2.Value))
			}
		case slices.Contains(methods, lower):
			if lower != k.Value {
				n.warn(k, "wrong-case-key", "method %q is written in the wrong case", k.Value)
			}
			n.operation(o, k, v, strings.ToUpper(k.Value), "/"+k.Value)
		default:
			n.unknownKey(k, pathItemShape, "")
		}
		n.label = "path " + key.Value + ": "
	}
}

// operation reads one operation. o holds what its path item says.
func (n *normalizer) operation(o Operation, key, raw *node.Node, method, pointer string) {
	o.Method, o.Pos = method, key.Pos()
	o.Pointer += pointer
	n.label = "operation " + method + " " + o.Path + ": "
	op, err := n.section(raw)
	if id := op.Get("operationId").Text(); id != "" {
		n.label = "operation " + id + ": "
	}
	o.Node = op
	mistakes := n.held(func() { o.mcp = n.operationExposure(op, o.mcp) })
	// What a flag leaves out is nobody's concern; x-mcp may do so by mistake.
	reason := n.choice.excludes(&o)
	if reason == "" || reason == byExtension {
		n.diags.Append(mistakes)
	}
	if reason != "" {
		return
	}
	if err == nil {
		err = n.fill(&o, key, op)
	}
	if err != nil {
		n.doc.Skip(&o, err, n.diags)
		return
	}
	n.doc.Operations = append(n.doc.Operations, &o)
}

func (n *normalizer) fill(o *Operation, key, op *node.Node) *schema.Error {
	if !op.IsMap() {
		return fault(key.Pos(), "no-operation", "describe the operation, or remove its method", "it is a %s and must be a mapping", op.Kind)
	}
	if !isToken(o.Method) {
		return fault(key.Pos(), "bad-method", "a method is one word such as COPY or LINK", "HTTP allows no method %s", quote(o.Method))
	}
	op = n.repair(op, operationShape, "")
	o.Node = op
	params, bodies, err := n.parameters(o, op)
	if err != nil {
		return err
	}
	if o.Params, err = n.matchPath(o, key, params); err != nil {
		return err
	}
	requestBody := op.Get("requestBody")
	if len(bodies) > 0 && requestBody == nil {
		requestBody = n.body2(op, bodies)
	}
	b, err := n.requestBody(requestBody)
	if err != nil {
		return err
	}
	responses := n.operationResponses(op)
	if n.two && op.Get("schemes") != nil {
		o.Servers = n.servers2(op.Get("schemes"))
	} else if own := n.servers(op.Get("servers"), "servers"); own != nil {
		o.Servers = own
	}
	o.Security = n.security(op.Get("security"), "security")
	n.rebuild(o, b, responses)
	return n.kinOperation(o, b, responses)
}

// rebuild makes o.Node the operation with everything followed and repaired.
func (n *normalizer) rebuild(o *Operation, b *body, responses []*response) {
	op := o.Node.Without("requestBody", "parameters")
	if len(o.Params) > 0 {
		list := node.Seq(op)
		for _, p := range o.Params {
			list.Items = append(list.Items, p.Node)
		}
		op = op.With("parameters", list)
	}
	if b != nil {
		o.Body = &b.RequestBody
		op = op.With("requestBody", b.Node)
	}
	if len(responses) > 0 {
		m := node.Map(op.Get("responses"))
		for _, r := range responses {
			o.Responses = append(o.Responses, r.Response)
			m.Items = append(m.Items, node.Str(r.Node, r.Status), r.Node)
		}
		op = op.With("responses", m)
	}
	if o.Security != nil {
		op = op.With("security", o.Security)
	}
	o.Node = op
}
