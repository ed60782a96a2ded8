package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// Request is what a tool does when it is called.
type Request struct {
	Calls      string            // "GET /pets/{petId}", or the function
	Method     string            // empty: a function
	Upstreams  []string          // of its own; empty: the server's
	Places     map[string]string // where each argument goes: "query filter[name]"
	Forms      map[string]Form   // how each is written there
	Fixed      []string          // headers of parts that no argument gives, sorted
	Body       string            // media type; empty: none is sent
	BodyArg    string            // the argument that holds the body
	Parts      map[string]string // how properties of the body are written where that is not the default way; in XML all, the root is ""
	Accept     []string          // media types of answers
	Auth       []string          // alternatives: "key", "key + token", "" for none; empty: no credential
	Scopes     []string          // "token: read", sorted; nil: not known
	Deprecated bool
}

const jsonType = "application/json"

// Form is how a value is written in its place.
type Form struct {
	Style    ir.Style // empty: by Content
	Explode  bool
	Content  string // media type
	Reserved bool   // reserved characters stay as they are
}

// String gives "form, exploded".
func (f Form) String() string {
	if f.Content != "" {
		return f.Content
	}
	words := string(f.Style)
	if f.Explode {
		words += ", exploded"
	}
	if f.Reserved {
		words += ", reserved characters as they are"
	}
	return words
}

func functionRequest(t *ir.Tool) *Request {
	if t.Func == nil {
		return nil
	}
	return &Request{Calls: t.Func.Doc + " of " + t.Func.Package, Deprecated: t.Deprecated}
}

func operationRequest(t *ir.Tool) *Request {
	from := t.Request
	r := newRequest(from.Method, from.Path)
	r.Upstreams, r.Scopes, r.Deprecated = addresses(from.Upstreams), []string{}, t.Deprecated
	if len(from.Accept) > 0 {
		r.Accept = from.Accept
	}
	for _, b := range from.Bindings {
		r.bind(b)
	}
	if from.Body != nil {
		r.send(from.Body)
	}
	for _, alternative := range from.Security {
		var names []string
		for _, use := range alternative {
			names = append(names, use.Name)
			for _, scope := range use.Scopes {
				r.Scopes = append(r.Scopes, use.Name+": "+scope)
			}
		}
		// Those that differ in scopes alone are one.
		if auth := strings.Join(names, " + "); !slices.Contains(r.Auth, auth) {
			r.Auth = append(r.Auth, auth)
		}
	}
	slices.Sort(r.Scopes)
	r.Scopes = slices.Compact(r.Scopes)
	return r
}

func newRequest(method, path string) *Request {
	return &Request{
		Calls: method + " " + path, Method: method, Accept: []string{jsonType},
		Places: map[string]string{}, Forms: map[string]Form{}, Parts: map[string]string{},
	}
}

// bind takes one binding.
func (r *Request) bind(b ir.Binding) {
	where := place(string(b.In), b.Part, b.Wire)
	form := Form{Style: b.Style, Explode: b.Explode, Content: b.Content, Reserved: b.AllowReserved}
	if b.Content != "" {
		form = Form{Content: b.Content}
	}
	if b.Value != "" {
		r.Fixed = append(r.Fixed, fmt.Sprintf("%s: %s as %s", where, b.Value, form))
		slices.Sort(r.Fixed)
		return
	}
	r.Places[b.Arg], r.Forms[b.Arg] = where, form
}

// send takes the body.
func (r *Request) send(b *ir.Body) {
	r.Body, r.BodyArg = b.MediaType, b.Arg
	for _, f := range b.Fields {
		r.Parts[f.Name] = fieldText(f)
	}
	if b.XML != nil {
		r.element("", b.XML)
	}
}

func fieldText(f ir.Field) string {
	var words []string
	if f.ContentType != "" {
		words = append(words, f.ContentType)
	}
	if f.File {
		words = append(words, "a file")
	}
	form := Form{Style: f.Style, Explode: f.Explode && f.Style != "", Reserved: f.AllowReserved}
	if text := strings.TrimPrefix(form.String(), ", "); text != "" {
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// element takes an element and all below it.
func (r *Request) element(at string, x *ir.XMLElement) {
	words := "element "
	if x.Attribute {
		words = "attribute "
	}
	if x.Prefix != "" {
		words += x.Prefix + ":"
	}
	words += x.Name
	if x.Namespace != "" {
		words += " of " + x.Namespace
	}
	if x.Wrapped {
		words += ", wrapped"
	}
	r.Parts[at] = words
	if x.Item != nil {
		r.element(at+"[]", x.Item)
	}
	for _, c := range x.Children {
		r.element(member(at, c.Property), c)
	}
}

// place names where an argument goes; the whole query has no name of its own, a
// header may be that of a part of the body.
func place(in, part, wire string) string {
	switch in {
	case string(ir.InQuerystring):
		return in
	case string(ir.InPart):
		return "header " + wire + " of part " + part
	}
	return in + " " + wire
}

func schemeText(kind ir.AuthKind, in, wire, tokenURL string) string {
	text := string(kind)
	if in != "" {
		text += " in " + in + " " + wire
	}
	if tokenURL != "" {
		text += " from " + tokenURL
	}
	return text
}

// addresses writes upstreams: "https://{region}.example with region=eu of eu|us".
func addresses(upstreams []ir.Upstream) []string {
	var out []string
	for _, u := range upstreams {
		text := u.URL
		for i, v := range u.Variables {
			word := ", "
			if i == 0 {
				word = " with "
			}
			text += word + v.Name + "=" + v.Default
			if len(v.Enum) > 0 {
				text += " of " + strings.Join(v.Enum, "|")
			}
		}
		out = append(out, text)
	}
	return out
}
