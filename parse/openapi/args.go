package openapi

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// arguments is what the model sends to one tool and where it goes.
type arguments struct {
	props    []schema.Property
	bindings []ir.Binding
	body     *ir.Body
	security [][]ir.AuthUse
}

// arguments makes one argument of each parameter and one of the body, in
// document order.
func (b *builder) arguments(op *Operation) (*arguments, error) {
	a := &arguments{security: b.security(op)}
	params := b.params(op, a)
	body, bodyProp, headers, err := b.body(op)
	if err != nil {
		return nil, err
	}
	names := b.argNames(op, params, body != nil, headers)
	for i, p := range params {
		to, property := b.binding(p)
		to.Arg, property.Name = names[i], names[i]
		if lost(p.Kin.Name, names[i]) {
			property.Description = strings.TrimSpace(property.Description + "\nThe API calls it " + prose.Cut(oneName(p.Kin.Name), maxWire) + ".")
		}
		a.bindings = append(a.bindings, to)
		a.props = append(a.props, property)
	}
	if body != nil {
		body.Arg, bodyProp.Name = bodyArg, bodyArg
		a.body, a.props = body, append(a.props, bodyProp)
	}
	for i, h := range headers {
		if h.binding.Value == "" {
			name := names[len(params)+i]
			h.binding.Arg, h.property.Name = name, name
			a.props = append(a.props, h.property)
		}
		a.bindings = append(a.bindings, h.binding)
	}
	return a, nil
}

// maxWire is how much of a name of the API stands in a description, in runes.
const maxWire = 120

// lost reports whether the name of an argument keeps no more than half of the letters
// and digits of the name that it was made of: the model would have to guess.
func lost(wire, name string) bool {
	letters, kept := 0, 0
	for _, c := range wire {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			letters++
			if c < utf8.RuneSelf {
				kept++
			}
		}
	}
	return wire != name && 2*kept <= letters
}

// bodyArg is the argument that is the request body.
const bodyArg = "body"

// params are the parameters that become arguments: those of the operation but
// for headers that OpenAPI ignores and credentials.
func (b *builder) params(op *Operation, a *arguments) []*Param {
	var out []*Param
	for _, p := range op.Params {
		if ignoredHeader(p) {
			continue
		}
		if auth := b.credential(p); auth != nil {
			a.security = requireCredential(a.security, auth, p.Kin.Required)
			continue
		}
		out = append(out, p)
	}
	return out
}

// ignoredHeader reports whether p is a header whose parameter means nothing:
// media types and security decide about it (OpenAPI 3.1, Parameter Object, name).
func ignoredHeader(p *Param) bool {
	if p.Kin.In != string(ir.InHeader) {
		return false
	}
	switch strings.ToLower(p.Kin.Name) {
	case "accept", "content-type", "authorization":
		return true
	}
	return false
}

// argNames names the arguments for the parameters, then those for the headers of
// the body's parts. A name in two places, or beside a body of the same name, gets
// its place as a suffix everywhere; characters that clients refuse are folded.
func (b *builder) argNames(op *Operation, params []*Param, hasBody bool, headers []partHeader) []string {
	places := make(map[string]int, len(params)+1)
	if hasBody {
		places[bodyArg] = 1
	}
	for _, p := range params {
		places[p.Kin.Name]++
	}
	claims := make([]ir.Claim, 0, len(params)+len(headers)+1)
	for _, p := range params {
		name := ir.ArgName(p.Kin.Name)
		if places[p.Kin.Name] > 1 {
			name = ir.Shorten(name+"__"+p.Kin.In, p.Kin.Name+" "+p.Kin.In)
		}
		claims = append(claims, ir.Claim{Name: name, Fixed: name == p.Kin.Name})
	}
	for _, h := range headers {
		wire := h.binding.Part + "__" + h.binding.Wire
		claims = append(claims, ir.Claim{Name: ir.ArgName(wire)})
	}
	if hasBody {
		claims = append(claims, ir.Claim{Name: bodyArg, Fixed: true})
	}
	names := ir.Distinct(claims, func(s string) string { return s })
	for i, p := range params {
		if names[i] != claims[i].Name {
			b.diags.Warn(p.Node.Pos(), "argument-clash",
				"operation %s: parameter %s: the argument name %s is taken; it is %s", op.Label(), quote(p.Kin.Name), claims[i].Name, names[i])
		}
	}
	return names
}
