package review

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// request compares what is sent.
func (r *Report) request(from, to *Tool) {
	tool, old, new := to.Name, from.Request, to.Request
	if old.Calls != new.Calls {
		r.add(Change{Tool: tool, Rule: "request-moved", Grade: Risky, Old: old.Calls, New: new.Calls,
			Message: fmt.Sprintf("calls %s, called %s", quote(new.Calls), quote(old.Calls))})
	}
	if a, b := strings.Join(old.Upstreams, ", "), strings.Join(new.Upstreams, ", "); a != b {
		r.add(Change{Tool: tool, Rule: "request-moved", Grade: Risky, Old: a, New: b,
			Message: fmt.Sprintf("requests go to %s, went to %s", ownAddress(b), ownAddress(a))})
	}
	r.places(from, to)
	switch {
	case old.Body == "" || new.Body == "":
	case old.Body != new.Body:
		r.add(Change{Tool: tool, Rule: "media-type-changed", Grade: Risky, Old: old.Body, New: new.Body,
			Message: fmt.Sprintf("the body is sent as %s, was sent as %s", quote(new.Body), quote(old.Body))})
	default:
		r.parts(from, to)
	}
	r.accept(tool, old.Accept, new.Accept)
	r.auth(tool, old, new)
	if old.Deprecated != new.Deprecated {
		c := Change{Tool: tool, Rule: "tool-deprecated", Grade: Risky, Message: "deprecated: the API means to remove it"}
		if old.Deprecated {
			c.Grade, c.Message = Safe, "no longer deprecated"
		}
		r.add(c)
	}
}

// places compares where arguments go, and how they are written there.
func (r *Report) places(from, to *Tool) {
	old, new := from.Request, to.Request
	for _, arg := range slices.Sorted(maps.Keys(new.Places)) {
		switch was, is := old.Places[arg], new.Places[arg]; {
		case was == "": // the argument is new
		case was != is:
			r.add(Change{Tool: to.Name, Rule: "argument-moved", Grade: Safe, Path: arg, Old: was, New: is,
				Message: fmt.Sprintf("argument %s is sent as %s, was %s", quote(arg), quote(is), quote(was))})
		case old.Forms[arg] != new.Forms[arg]:
			a, b := old.Forms[arg], new.Forms[arg]
			c := Change{Tool: to.Name, Rule: "serialisation-changed", Grade: Risky, Path: arg, Old: a.String(), New: b.String(),
				Message: fmt.Sprintf("argument %s is written as %s, was %s", quote(arg), quote(b.String()), quote(a.String()))}
			if a.Explode = b.Explode; a == b && single(from, arg) && single(to, arg) {
				c.Grade = Safe // to explode is about lists and objects
			}
			r.add(c)
		}
	}
	for _, fixed := range without(old.Fixed, new.Fixed) {
		r.add(Change{Tool: to.Name, Rule: "serialisation-changed", Grade: Risky, Old: fixed, Message: "no longer sends " + quote(fixed)})
	}
	for _, fixed := range without(new.Fixed, old.Fixed) {
		r.add(Change{Tool: to.Name, Rule: "serialisation-changed", Grade: Risky, New: fixed, Message: "sends " + quote(fixed) + " now"})
	}
}

// argument is the schema of one.
func (t *Tool) argument(name string) view {
	root := t.whole()
	return expand(root.Get("properties").Get(name), root)
}

// single reports whether an argument is one value, neither list nor object.
func single(t *Tool, name string) bool {
	types := t.argument(name).types()
	return types != nil && !slices.Contains(types, "array") && !slices.Contains(types, "object")
}

// parts compares how properties of the body are written. Of one that came or went
// the schema tells.
func (r *Report) parts(from, to *Tool) {
	old, new := from.Request, to.Request
	_, xml := new.Parts[""]
	for _, name := range set(slices.Concat(slices.Collect(maps.Keys(old.Parts)), slices.Collect(maps.Keys(new.Parts)))) {
		a, wasThere := old.Parts[name]
		b, isThere := new.Parts[name]
		if a == b || wasThere != isThere && (xml ||
			!from.argument(old.BodyArg).get("properties").Has(name) || !to.argument(new.BodyArg).get("properties").Has(name)) {
			continue
		}
		path := new.BodyArg
		if name != "" {
			path = member(path, name)
		}
		r.add(Change{Tool: to.Name, Rule: "serialisation-changed", Grade: Risky, Path: path, Old: a, New: b,
			Message: fmt.Sprintf("argument %s is written as %s, was written as %s", quote(path), partText(b), partText(a))})
	}
}

func partText(s string) string {
	if s == "" {
		return "its type says"
	}
	return quote(s)
}

func ownAddress(s string) string {
	if s == "" {
		return "the server's address"
	}
	return quote(s)
}

func (r *Report) accept(tool string, old, new []string) {
	gone, more := without(old, new), without(new, old)
	c := Change{Tool: tool, Rule: "media-type-changed", Old: strings.Join(old, ", "), New: strings.Join(new, ", ")}
	switch {
	case len(gone) > 0 && len(more) > 0:
		c.Grade, c.Message = Risky, fmt.Sprintf("answers come as %s, came as %s", quote(c.New), quote(c.Old))
	case len(gone) > 0:
		c.Grade, c.Message = Risky, fmt.Sprintf("answers no longer come as %s", quoteAll(gone))
	case len(more) > 0:
		c.Grade, c.Message = Safe, fmt.Sprintf("answers can come as %s too", quoteAll(more))
	case c.Old != c.New:
		c.Grade, c.Message = Safe, fmt.Sprintf("answers are asked for in the order %s, was %s", quote(c.New), quote(c.Old))
	default:
		return
	}
	r.add(c)
}

// auth compares which credentials make a call possible.
func (r *Report) auth(tool string, old, new *Request) {
	c := Change{Tool: tool, Rule: "auth-changed", Old: authText(old.Auth), New: authText(new.Auth)}
	gone := without(old.Auth, new.Auth)
	switch wasFree, isFree := free(old.Auth), free(new.Auth); {
	case wasFree && !isFree:
		c.Grade, c.Message = Breaking, "needs a credential now: "+c.New
	case !wasFree && isFree:
		c.Grade, c.Message = Safe, "needs no credential any more, needed "+c.Old
	case len(gone) > 0 && len(gone) == len(old.Auth):
		c.Grade, c.Message = Breaking, fmt.Sprintf("needs %s, needed %s", c.New, c.Old)
	case len(gone) > 0:
		c.Grade, c.Message = Risky, fmt.Sprintf("takes %s, took %s", c.New, c.Old)
	case len(without(new.Auth, old.Auth)) > 0:
		c.Grade, c.Message = Safe, fmt.Sprintf("takes %s, took %s", c.New, c.Old)
	case !slices.Equal(old.Auth, new.Auth): // of those that are set, the first is sent
		c.Grade, c.Message = Risky, fmt.Sprintf("takes %s in this order, took %s", c.New, c.Old)
	}
	if c.Message != "" {
		r.add(c)
	}
	if old.Scopes == nil || new.Scopes == nil {
		return
	}
	if more := without(new.Scopes, old.Scopes); len(more) > 0 {
		r.add(Change{Tool: tool, Rule: "auth-changed", Grade: Risky, New: strings.Join(more, ", "),
			Message: "the credential needs more scopes: " + quoteAll(more)})
	}
	if less := without(old.Scopes, new.Scopes); len(less) > 0 {
		r.add(Change{Tool: tool, Rule: "auth-changed", Grade: Safe, Old: strings.Join(less, ", "),
			Message: "the credential needs fewer scopes: " + quoteAll(less)})
	}
}

// free reports whether a call can do without a credential.
func free(auth []string) bool { return len(auth) == 0 || slices.Contains(auth, "") }

func authText(auth []string) string {
	var words []string
	for _, a := range auth {
		if a == "" {
			words = append(words, "no credential")
		} else {
			words = append(words, quote(a))
		}
	}
	if len(words) == 0 {
		return "no credential"
	}
	return strings.Join(words, " or ")
}
