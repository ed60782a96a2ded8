package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// tool compares a tool with what it was.
func (r *Report) tool(old, new *Tool) {
	if old.Request != nil && new.Request != nil {
		r.request(new.Name, old.Request, new.Request)
	}
	r.hints(new.Name, old.Hints, new.Hints)
	if old.Title != new.Title {
		r.add(Change{Tool: new.Name, Rule: "title-changed", Grade: Safe, Old: old.Title, New: new.Title,
			Message: fmt.Sprintf("title changed from %s to %s", quote(old.Title), quote(new.Title))})
	}
	r.prose(Change{Tool: new.Name, Message: "description", Old: old.Description, New: new.Description})
	if old.Result != nil && new.Result != nil {
		r.result(new.Name, old.Result, new.Result)
		// Both are of a source, so what a diet hides of them is known.
		r.schemas(new.Name, old.whole(), new.whole(), false)
	} else {
		r.schemas(new.Name, old.Input, new.Input, false)
	}
	switch {
	case old.Output == nil && new.Output != nil:
		r.add(Change{Tool: new.Name, Rule: "output-added", Grade: Risky,
			Message: "results have a schema now, which clients check"})
	case old.Output != nil && new.Output == nil:
		r.add(Change{Tool: new.Name, Rule: "output-removed", Grade: Breaking,
			Message: "results have no schema any more"})
	case old.Output != nil:
		r.schemas(new.Name, old.Output, new.Output, true)
	}
}

// whole is the input schema with what a diet hid.
func (t *Tool) whole() *node.Node { return cmp.Or(t.full, t.Input) }

// result compares what happens around a call.
func (r *Report) result(tool string, old, new *Result) {
	if a, b := confirmText(old.Confirm), confirmText(new.Confirm); a != b {
		r.add(Change{Tool: tool, Rule: "confirm-changed", Grade: Risky, Old: a, New: b,
			Message: fmt.Sprintf("confirmation before a call: %s, was %s", b, a)})
	}
	if slices.Equal(old.Select, new.Select) {
		return
	}
	c := Change{Tool: tool, Rule: "select-changed", Grade: Risky, Old: strings.Join(old.Select, ", "), New: strings.Join(new.Select, ", "),
		Message: "results keep " + selectText(new.Select) + ", kept " + selectText(old.Select)}
	if len(new.Select) == 0 || len(old.Select) > 0 && len(without(old.Select, new.Select)) == 0 {
		c.Grade = Safe
	}
	r.add(c)
}

func confirmText(confirm *bool) string {
	switch {
	case confirm == nil:
		return "as hints say"
	case *confirm:
		return "always"
	}
	return "never"
}

func selectText(fields []string) string {
	if len(fields) == 0 {
		return "all fields"
	}
	return quoteAll(fields)
}

// hint is one annotation; better is the value that lets a client ask less.
type hint struct {
	name             string
	old, new, better bool
	weaker, stronger Grade
}

// hints compares the annotations. A tool that promises less breaks the consent
// that was given on its promise; one that claims to be harmless now is called
// without asking, so that wants a look too.
func (r *Report) hints(tool string, old, new ir.Hints) {
	for _, h := range []hint{
		{"readOnly", old.ReadOnly, new.ReadOnly, true, Breaking, Risky},
		{"destructive", old.Destructive, new.Destructive, false, Breaking, Risky},
		{"idempotent", old.Idempotent, new.Idempotent, true, Risky, Safe},
		{"openWorld", old.OpenWorld, new.OpenWorld, false, Risky, Safe},
	} {
		if h.old == h.new {
			continue
		}
		c := Change{Tool: tool, Rule: "hint-weakened", Grade: h.weaker, Old: fmt.Sprint(h.old), New: fmt.Sprint(h.new)}
		if h.new == h.better {
			c.Rule, c.Grade = "hint-strengthened", h.stronger
		}
		c.Message = fmt.Sprintf("hint %s is %t, was %t", quote(h.name), h.new, h.old)
		r.add(c)
	}
}

// request compares what is sent.
func (r *Report) request(tool string, old, new *Request) {
	if old.Calls != new.Calls {
		r.add(Change{Tool: tool, Rule: "request-moved", Grade: Risky, Old: old.Calls, New: new.Calls,
			Message: fmt.Sprintf("calls %s, called %s", quote(new.Calls), quote(old.Calls))})
	}
	if a, b := strings.Join(old.Upstreams, ", "), strings.Join(new.Upstreams, ", "); a != b {
		r.add(Change{Tool: tool, Rule: "request-moved", Grade: Risky, Old: a, New: b,
			Message: fmt.Sprintf("requests go to %s, went to %s", ownAddress(b), ownAddress(a))})
	}
	for _, arg := range slices.Sorted(maps.Keys(new.Places)) {
		if was, is := old.Places[arg], new.Places[arg]; was != "" && was != is {
			r.add(Change{Tool: tool, Rule: "argument-moved", Grade: Safe, Path: arg, Old: was, New: is,
				Message: fmt.Sprintf("argument %s is sent as %s, was %s", quote(arg), quote(is), quote(was))})
		}
	}
	if old.Body != "" && new.Body != "" && old.Body != new.Body {
		r.add(Change{Tool: tool, Rule: "media-type-changed", Grade: Risky, Old: old.Body, New: new.Body,
			Message: fmt.Sprintf("the body is sent as %s, was sent as %s", quote(new.Body), quote(old.Body))})
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

// without returns the words of a that b lacks.
func without(a, b []string) []string {
	var out []string
	for _, w := range a {
		if !slices.Contains(b, w) {
			out = append(out, w)
		}
	}
	return out
}
