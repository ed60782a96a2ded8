package runtime

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// target is the part of a request's URL after the upstream's address, encoded.
type target struct {
	path  string
	query string
}

// target fills the template and appends the query parameters in the order in
// which the handler named them.
func (r *Request) target() (target, error) {
	template, _, _ := strings.Cut(r.path, "#") // a fragment is never sent
	path, query, _ := strings.Cut(template, "?")
	path, query = escapeTemplate(path), escapeTemplate(query)
	var q queryBuilder
	for i := range r.params {
		p := &r.params[i]
		switch p.in {
		case inPath:
			if err := p.fill(&path, &query); err != nil {
				return target{}, err
			}
		case inQuery:
			q.add(p)
		case inQuerystring:
			q.addAll(p)
		}
	}
	if name, found := variable(path + query); found {
		return target{}, fmt.Errorf("the path %s has no argument for {%s}", r.path, name)
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if err := checkSegments(path); err != nil {
		return target{}, err
	}
	return target{path: path, query: joinQuery(query, q.String())}, nil
}

// fill puts the argument wherever its variable stands. Encoded values hold no
// brace, so what one argument brings in is never taken for another's variable.
func (p *param) fill(texts ...*string) error {
	if !p.arg.Given() {
		return fmt.Errorf("argument %q: a path parameter needs a value", p.arg.Name)
	}
	escape := escapeAll
	if p.reserved {
		escape = escapePathReserved
	}
	name := strings.TrimPrefix(p.name, "+")
	value := p.expand(escape)
	if value == "" {
		return fmt.Errorf("argument %q: a path parameter must not be empty, the request would go to another path", p.arg.Name)
	}
	if isDots(value) || p.reserved && climbs(value) {
		return fmt.Errorf("argument %q: %q is not allowed in a path", p.arg.Name, textOf(p.arg.Value))
	}
	for _, text := range texts {
		*text = strings.ReplaceAll(*text, "{"+name+"}", value)
		if open := "{+" + name + "}"; strings.Contains(*text, open) {
			value, err := p.segments()
			if err != nil {
				return err
			}
			*text = strings.ReplaceAll(*text, open, value)
		}
	}
	return nil
}

// segments is the value of {+name}, which may go over several segments (RFC
// 6570, 3.2.3; Google's documents have it).
func (p *param) segments() (string, error) {
	value := p.expand(escapeSegments)
	if strings.Contains("/"+value+"/", "//") {
		return "", fmt.Errorf("argument %q: %q has an empty path segment", p.arg.Name, textOf(p.arg.Value))
	}
	if climbs(value) {
		return "", fmt.Errorf("argument %q: %q holds a segment that would lead to another path", p.arg.Name, textOf(p.arg.Value))
	}
	return value, nil
}

// climbs reports whether a value that may bring its own percent-encoding has a
// dot segment once a server has decoded its slashes, be they turned either way.
func climbs(value string) bool {
	decoded, err := url.PathUnescape(value)
	if err != nil {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(decoded, func(c rune) bool { return c == '/' || c == '\\' }), func(segment string) bool {
		bare, _, _ := strings.Cut(segment, ";")
		return isDots(bare)
	})
}

// expand writes a path parameter in its style.
func (p *param) expand(escape escaper) string {
	switch {
	case p.content != "":
		return escape(textOf(p.arg.Value))
	case p.style == Label:
		return label(p.arg.Value, p.exploded(), escape)
	case p.style == Matrix:
		return matrix(p.name, p.arg.Value, p.exploded(), escape)
	case p.style.delimiter() != ",":
		return delimited(p.arg.Value, p.style, escape)
	}
	return simple(p.arg.Value, p.exploded(), escape)
}

// escapeTemplate encodes what a URL cannot hold in the text around {variables}.
func escapeTemplate(s string) string {
	var b strings.Builder
	for {
		start, end := nextVariable(s)
		if start < 0 {
			return b.String() + escapeLiteral(s)
		}
		b.WriteString(escapeLiteral(s[:start]))
		b.WriteString(s[start:end])
		s = s[end:]
	}
}

// nextVariable finds the first {name}; start is -1 without one.
func nextVariable(s string) (start, end int) {
	start = strings.IndexByte(s, '{')
	if start < 0 {
		return -1, 0
	}
	end = strings.IndexByte(s[start:], '}')
	if end < 0 {
		return -1, 0
	}
	return start, start + end + 1
}

// variable returns the name of a variable that was not filled.
func variable(s string) (name string, found bool) {
	start, end := nextVariable(s)
	if start < 0 {
		return "", false
	}
	return s[start+1 : end-1], true
}

// checkSegments refuses dot segments, however they came about: a server, or a
// proxy before it, may resolve them to another path. Some drop what follows a
// semicolon first.
func checkSegments(path string) error {
	for segment := range strings.SplitSeq(path, "/") {
		if bare, _, _ := strings.Cut(segment, ";"); isDots(bare) {
			return fmt.Errorf("the path %s holds the segment %q, which would lead to another path", path, segment)
		}
	}
	return nil
}

func isDots(segment string) bool {
	if len(segment) > len("%2e%2e") {
		return false
	}
	s, err := url.PathUnescape(segment)
	return err == nil && (s == "." || s == "..")
}
