package gofunc

import (
	"fmt"
	"go/types"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// maxDescription is the length of a tool's description in characters that
// clients do not cut themselves.
const maxDescription = 1024

// call is what tools, resources and prompts have in common.
type call struct {
	fn    *ir.Func
	args  *arguments
	input *document
	about prose
}

// call resolves the parameters of a function for one role.
func (r *packageReader) call(c *callable, verb string) (*call, bool) {
	args, ok := r.classify(c)
	ok = ok && r.checkWires(c, args)
	if !ok {
		return nil, false
	}
	out := &call{args: args, about: r.describeParams(c, args)}
	if out.input, ok = r.inputSchema(c, args); !ok || !r.checkHeaders(c, verb, out.input) {
		return nil, false
	}
	out.fn = &ir.Func{
		Doc: c.doc, Callee: c.callee, Args: args.args, Package: r.model.ImportPath,
		Timeout: c.notes.text(verb, "timeout"), MaxBytes: c.notes.number(verb, "maxBytes"),
		MaxItems: c.notes.number(verb, "maxItems"), MIME: c.notes.text(verb, "mime"), Pos: c.pos,
	}
	if args.object != nil {
		t, _ := unnamedElem(args.object.typ)
		code, err := r.typeCode(t)
		if err != nil {
			r.error(c, "unsupported-type", "", "parameter %s: %s", args.object.name, err)
			return nil, false
		}
		out.fn.Input = &code
	}
	if c.recv != nil {
		if out.fn.Receiver, ok = r.receiver(c); !ok {
			return nil, false
		}
	}
	return out, true
}

// description is the text about a function: desc= or its comment, cut where
// clients would.
func (r *packageReader) description(c *callable, verb string, about prose) string {
	if text := c.notes.text(verb, "desc"); text != "" {
		return text
	}
	text, cut := about.short(maxDescription)
	if cut {
		r.style(c.pos, "long-description", "write desc= for models", "%s: the description is cut to %d characters", c.doc, maxDescription)
	}
	if text == "" {
		r.style(c.pos, "no-description", "write a comment or desc=", "%s has no description", c.doc)
		text = "Calls " + c.doc + "."
	}
	return text
}

// style adds a warning that is worth reading only when nothing is wrong.
func (r *packageReader) style(pos diag.Pos, code, hint, format string, args ...any) {
	r.later = append(r.later, diag.Diagnostic{Pos: pos, Severity: diag.Warning, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// toolNames are the characters of tool names (MCP 2025-11-25, Tool Names).
const toolNames = "use up to 64 of A-Z, a-z, 0-9, _, - and ."

// name is the name that a directive gives, or one made from the function's.
func (r *packageReader) name(c *callable, verb string) (string, bool) {
	if a, given := c.notes.get(verb, "name"); given {
		if !ir.IsArgName(a.value) {
			r.diags.Error(a.pos, "bad-name", toolNames, "%s: the name %s is not legal", c.doc, quote(a.value))
			return "", false
		}
		return a.value, true
	}
	style := r.opts.Names
	if style == "" {
		style = ir.Snake
	}
	source := c.name
	if verb == "tool" {
		source = prefixed(r.clause.text("package", "prefix"), source)
	}
	name := ir.ToolName(source, style)
	if name == "" {
		r.error(c, "bad-name", "write name=", "no name can be made of it: %s", toolNames)
	}
	return name, name != ""
}

// prefixed joins a prefix and a name by an underscore unless the prefix ends in
// a sign.
func prefixed(prefix, name string) string {
	if prefix == "" || strings.ContainsAny(prefix[len(prefix)-1:], "_-.") {
		return prefix + name
	}
	return prefix + "_" + name
}

// tool makes a tool of a function.
func (r *packageReader) tool(c *callable) {
	const verb = "tool"
	list, failure, ok := r.results(c)
	call, good := r.call(c, verb)
	name, named := r.name(c, verb)
	if !ok || !good || !named {
		return
	}
	for _, res := range list {
		res.kind = r.jsonKind(res.typ, len(list) == 1)
	}
	if kept := slices.DeleteFunc(slices.Clone(list), func(res *result) bool { return res.skip }); len(kept) == 1 {
		kept[0].kind = r.single(kept[0])
	}
	nameResults(list)
	output, ok := r.outputSchema(c, list)
	if !ok {
		return
	}
	call.fn.Results, call.fn.Error = r.funcResults(list), failure
	call.fn.Out = ir.OutPolicy(c.notes.text(verb, "out"))
	if call.fn.Out == "" {
		call.fn.Out = ir.OutAuto
	}
	t := &ir.Tool{
		Name: name, Title: c.notes.text(verb, "title"), Description: r.description(c, verb, call.about),
		Input: rawJSON(call.input.root), Hints: r.hints(c), Deprecated: call.about.deprecated,
		Func: call.fn, Pos: c.at(verb), Icons: c.notes.texts(verb, "icon"),
	}
	if given, ok := c.notes.get(verb, "name"); ok {
		t.Pinned = given.pos
	}
	if meta := c.notes.text(verb, "meta"); meta != "" {
		t.Meta = rawJSON(parseJSON(meta))
	}
	switch large := output != nil && output.size > maxInline; {
	case output == nil || call.fn.Out == ir.OutNone || call.fn.Out == ir.OutText:
	case large && call.fn.Out == ir.OutAuto:
		r.style(c.pos, "large-output", "write out=full to keep it, or out=none", "%s: the output schema of %d bytes is left out", c.doc, output.size)
	default:
		t.Output = rawJSON(output.root)
	}
	r.model.Tools = append(r.model.Tools, t)
	if group := c.notes.text(verb, "group"); group != "" {
		r.groups[t] = group
	}
}

// hints are what the directive says; what it does not say is the protocol's
// default (MCP 2025-11-25, ToolAnnotations).
func (r *packageReader) hints(c *callable) ir.Hints {
	readOnly := c.notes.flag("tool", "readonly")
	flag := func(key string, otherwise bool) bool {
		if a, given := c.notes.get("tool", key); given {
			return a.value == "true"
		}
		return otherwise
	}
	h := ir.Hints{ReadOnly: readOnly, Destructive: flag("destructive", !readOnly),
		Idempotent: flag("idempotent", readOnly), OpenWorld: flag("openworld", true)}
	if readOnly && h.Destructive {
		a, _ := c.notes.get("tool", "destructive")
		r.diags.Error(a.pos, "bad-directive", "", "%s: readonly and destructive contradict each other", c.doc)
	}
	return h
}

// textArguments reports an argument of a prompt or resource that is more than
// one text.
func (r *packageReader) textArguments(c *callable, call *call) bool {
	ok := true
	for key, n := range call.input.root.Get("properties").Pairs() {
		switch schemaKind(n) {
		case "string", "integer", "number", "boolean":
		default:
			r.error(c, "unsupported-type", "use text, a number or a boolean", "argument %s is given as text", key.Value)
			ok = false
		}
	}
	return ok
}

// prompt makes a prompt of a function.
func (r *packageReader) prompt(c *callable) {
	const verb = "prompt"
	list, failure, ok := r.results(c)
	call, good := r.call(c, verb)
	name, named := r.name(c, verb)
	if !ok || !good || !named || !r.textArguments(c, call) {
		return
	}
	kind := ir.ResultKind("")
	if len(list) == 1 {
		kind = promptKind(list[0].typ)
	}
	if kind == "" {
		r.error(c, "unsupported-result", "", "a prompt returns string, []*mcp.PromptMessage or *mcp.GetPromptResult, and may return an error")
		return
	}
	list[0].kind, list[0].wire = kind, ""
	call.fn.Results, call.fn.Error = r.funcResults(list), failure
	p := ir.Prompt{
		Name: name, Title: c.notes.text(verb, "title"), Description: r.description(c, verb, call.about),
		Input: rawJSON(call.input.root), Func: call.fn, Pos: c.at(verb),
	}
	required := call.input.root.Get("required").List()
	for key, n := range call.input.root.Get("properties").Pairs() {
		p.Arguments = append(p.Arguments, ir.PromptArgument{
			Name: key.Value, Description: argumentText(n),
			Required: slices.ContainsFunc(required, func(r *node.Node) bool { return r.Value == key.Value }),
		})
	}
	r.model.Prompts = append(r.model.Prompts, p)
}

// argumentText describes the argument of a prompt, which has no schema that a
// client sees.
func argumentText(n *node.Node) string {
	text := n.Get("description").Text()
	add := func(format string, v ...any) {
		if text != "" {
			text = strings.TrimRight(text, ".") + ". "
		}
		text += fmt.Sprintf(format, v...)
	}
	if list := n.Get("enum").List(); list != nil {
		var values []string
		for _, v := range list {
			values = append(values, v.Value)
		}
		add("One of: %s.", strings.Join(values, ", "))
	}
	if fallback := n.Get("default"); fallback != nil {
		add("Default: %s.", fallback.Text())
	}
	return text
}

func promptKind(t types.Type) ir.ResultKind {
	if s, ok := t.Underlying().(*types.Slice); ok && isPointerTo(s.Elem(), mcpPath, "PromptMessage") {
		return ir.ResultMessages
	}
	switch {
	case isPointerTo(t, mcpPath, "PromptMessage"):
		return ir.ResultMessages
	case isPointerTo(t, mcpPath, "GetPromptResult"):
		return ir.ResultPrompt
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		return ir.ResultText
	}
	return ""
}

// uriVariable is an expression of a URI template (RFC 6570).
var uriVariable = regexp.MustCompile(`\{([+#./;?&]?)([^{}]*)\}`)

// resource makes a resource of a function.
func (r *packageReader) resource(c *callable) {
	const verb = "resource"
	list, failure, ok := r.results(c)
	call, good := r.call(c, verb)
	name, named := r.name(c, verb)
	if !ok || !good || !named || !r.textArguments(c, call) {
		return
	}
	uri, given := c.notes.get(verb, "uri")
	if !given {
		r.diags.Error(c.at(verb), "bad-directive", "write //mcp:resource uri=shop://products/{id}", "%s: a resource needs a URI", c.doc)
		return
	}
	if !r.checkURI(c, uri, call) {
		return
	}
	if len(list) != 1 {
		r.error(c, "unsupported-result", "", "a resource returns one value, and may return an error")
		return
	}
	res := list[0]
	res.kind = r.single(res)
	mime := call.fn.MIME
	switch {
	case isPointerTo(res.typ, mcpPath, "ReadResourceResult"):
		res.kind = ir.ResultResource
	case res.kind == ir.ResultMCP || res.kind == ir.ResultContent:
		r.error(c, "unsupported-result", "return text, bytes, a value or *mcp.ReadResourceResult", "%s is the result of a tool", typeText(res.typ))
		return
	case res.kind == ir.ResultText && mime == "":
		mime = "text/plain"
	case !wholeResult(res.kind) || res.kind == ir.ResultObject || res.kind == ir.ResultPointer || res.kind == ir.ResultMap:
		if _, ok := r.outputSchema(c, []*result{res}); !ok {
			return
		}
		if mime == "" {
			mime = "application/json"
		}
	}
	call.fn.Results, call.fn.Error, call.fn.MIME = r.funcResults(list), failure, mime
	r.model.Resources = append(r.model.Resources, ir.Resource{
		URI: uri.value, Name: name, Title: c.notes.text(verb, "title"), Description: r.description(c, verb, call.about),
		MIME: mime, Input: rawJSON(call.input.root), Func: call.fn, Pos: c.at(verb),
	})
}

// checkURI reports a URI that is none, or whose variables are not the
// arguments.
func (r *packageReader) checkURI(c *callable, uri arg, call *call) bool {
	fail := func(hint, format string, v ...any) bool {
		r.diags.Error(uri.pos, "bad-uri", hint, "%s: uri %s: %s", c.doc, uri.value, fmt.Sprintf(format, v...))
		return false
	}
	u, err := url.Parse(uriVariable.ReplaceAllString(uri.value, "x"))
	if err != nil || !u.IsAbs() {
		return fail("write a scheme first: shop://products", "is not an absolute URI")
	}
	properties := call.input.root.Get("properties")
	var names, variables []string
	for key := range properties.Pairs() {
		names = append(names, key.Value)
	}
	for _, m := range uriVariable.FindAllStringSubmatch(uri.value, -1) {
		for name := range strings.SplitSeq(m[2], ",") {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
			if !properties.Has(name) {
				return fail(suggestion(name, names, "the parameters are %s"), "there is no parameter %s", name)
			}
			variables = append(variables, name)
		}
	}
	required := call.input.root.Get("required").List()
	for _, name := range names {
		needed := slices.ContainsFunc(required, func(n *node.Node) bool { return n.Value == name })
		if needed && !slices.Contains(variables, name) {
			return fail("add {"+name+"}, or write //mcp:param "+name+" default=…", "parameter %s is no variable of it", name)
		}
	}
	return true
}
