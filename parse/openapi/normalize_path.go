package openapi

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

var pathVariable = regexp.MustCompile(`\{([^{}]*)\}`)

// matchPath brings the variables of the path and the parameters in path into
// line, and sets o.Template: each variable has one parameter, each parameter a
// variable.
func (n *normalizer) matchPath(o *Operation, key *node.Node, params []*param) ([]*Param, *schema.Error) {
	t := template{renamed: map[string]string{}}
	for _, p := range params {
		switch p.in {
		case "path":
			t.declared = append(t.declared, p.name)
		case "query":
			t.query = append(t.query, p.name)
		}
	}
	t.read(o.Path)
	if t.changed != "" {
		n.warn(key, "path-syntax", "the path is read as %s", t.text)
	}
	if strings.ContainsAny(pathVariable.ReplaceAllString(t.text, ""), "{}") || strings.Contains(t.text, "{}") {
		return nil, fault(key.Pos(), "path-syntax", "every { needs its }, with a name between them", "the braces of the path %s do not match", o.Path)
	}
	o.Template = t.text
	var out []*Param
	for _, p := range params {
		switch {
		case p.in == "query" && t.renamed[p.name] != "":
			p = p.renamed(t.renamed[p.name])
		case p.in != "path":
		case !slices.Contains(t.used, p.name):
			n.warn(p.Node, "path-parameter-unused", "parameter %s in path does not stand in the path %s; it is left out", quote(p.name), o.Path)
			continue
		}
		out = append(out, &p.Param)
	}
	for _, name := range t.used {
		if slices.Contains(t.declared, name) {
			continue
		}
		n.warn(key, "path-parameter-undeclared", "no parameter describes {%s} of the path; it takes a string", name)
		p := n.parameter(node.Map(key,
			node.Str(key, "name"), node.Str(key, name),
			node.Str(key, "in"), node.Str(key, "path"),
			node.Str(key, "required"), node.Boolean(key, true),
			node.Str(key, "schema"), node.Map(key, node.Str(key, "type"), node.Str(key, "string"))))
		if p.err != nil {
			return nil, p.err
		}
		out = append(out, &p.Param)
	}
	return out, nil
}

// renamed is p under another name on the wire.
func (p *param) renamed(name string) *param {
	c, kin := *p, *p.Kin
	c.name, kin.Name, c.Kin = name, name, &kin
	c.Node = p.Node.With("name", node.Str(p.Node.Get("name"), name))
	return &c
}

// template is a path in the making.
type template struct {
	declared []string          // parameters in path
	query    []string          // parameters in query
	renamed  map[string]string // parameters in query that the path gives another name
	text     string
	used     []string // variables, each once
	changed  string   // what was rewritten, empty if nothing
}

// read rewrites what other template languages and old documents write, and cuts
// off a fragment: some documents use one to tell operations of one path apart.
func (t *template) read(path string) {
	if i := strings.IndexByte(pathVariable.ReplaceAllStringFunc(path, func(v string) string {
		return strings.Repeat("x", len(v))
	}), '#'); i >= 0 {
		path = path[:i]
	}
	path = t.withoutQuery(path)
	path = pathVariable.ReplaceAllStringFunc(path, t.variable)
	for _, name := range t.declared {
		if slices.Contains(t.used, name) {
			continue
		}
		colon := regexp.MustCompile(`/:` + regexp.QuoteMeta(name) + `(/|$)`)
		if colon.MatchString(path) {
			path = colon.ReplaceAllString(path, "/{"+strings.ReplaceAll(name, "$", "$$")+"}$1")
			t.used = append(t.used, name)
			t.changed = name
		}
	}
	t.text = path
}

// withoutQuery takes from the path's own query what parameters in query send:
// "q={q}", where q is one of them.
func (t *template) withoutQuery(path string) string {
	before, query, found := strings.Cut(path, "?")
	if !found || strings.HasSuffix(before, "{") { // {?q} is a variable
		return path
	}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		if !t.sentAnyway(pair) {
			kept = append(kept, pair)
		}
	}
	if len(kept) == 0 {
		return before
	}
	return before + "?" + strings.Join(kept, "&")
}

// sentAnyway reports whether a pair of the path's query is no more than a
// parameter in query, which goes by the name that the path gives it.
func (t *template) sentAnyway(pair string) bool {
	name, value, _ := strings.Cut(pair, "=")
	if decoded, err := url.QueryUnescape(name); err == nil {
		name = decoded
	}
	variable := strings.TrimSuffix(strings.TrimPrefix(value, "{"), "}")
	if value != "{"+variable+"}" || !slices.Contains(t.query, variable) || slices.Contains(t.declared, variable) {
		return false
	}
	if name != variable {
		if t.renamed[variable] != "" || slices.Contains(t.query, name) {
			return false
		}
		t.renamed[variable] = name
	}
	t.changed = variable
	return true
}

// variable rewrites one {variable}. RFC 6570 puts an operator before the name
// and a modifier behind it, web frameworks a pattern after a colon; a name that
// is declared as it stands is left alone. {+name} stays: its value may go over
// several segments (RFC 6570, 3.2.3).
func (t *template) variable(match string) string {
	raw := match[1 : len(match)-1]
	name, operator := raw, ""
	if !slices.Contains(t.declared, raw) {
		name = strings.TrimLeft(raw, "+#./;?&*")
		name, _, _ = strings.Cut(name, ":")
		name = strings.TrimRight(name, "*?")
	}
	if name != raw {
		switch raw[0] {
		case '?', '&': // a list of query parameters
			t.changed = raw
			return ""
		case '+':
			operator = "+"
		}
		if operator+name != raw {
			t.changed = raw
		}
	}
	if name != "" && !slices.Contains(t.used, name) {
		t.used = append(t.used, name)
	}
	if name == "" {
		return "{}"
	}
	return "{" + operator + name + "}"
}
