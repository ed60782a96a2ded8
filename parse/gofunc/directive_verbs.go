package gofunc

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// host is a set of places where a directive may stand.
type host uint8

const (
	onFunc   host = 1 << iota // function, method, method of an interface
	onVar                     // var _ = pkg.Func
	onType                    // type declaration
	onField                   // struct field
	onConst                   // constant
	onClause                  // package clause
)

// String names the places in messages.
func (h host) String() string {
	var names []string
	for _, place := range []struct {
		host host
		name string
	}{
		{onFunc, "a function or method"}, {onVar, "a var _ = function"}, {onType, "a type"},
		{onField, "a struct field"}, {onConst, "a constant"}, {onClause, "the package clause"},
	} {
		if h&place.host != 0 {
			names = append(names, place.name)
		}
	}
	return strings.Join(names, " or ")
}

// verb defines a directive. Its definition is what the reader checks against
// and what the help prints.
type verb struct {
	name   string
	hosts  host
	target string                             // the positional argument: "NAME", empty: none
	raw    func(rest string) (problem string) // the rest of the line is taken as it is
	rest   string                             // what the rest of such a line is
	keys   []key
	help   string
}

// key defines one key of a directive.
type key struct {
	name   string
	kind   keyKind
	choice []string // of kindChoice
	repeat bool
	help   string
}

// keyKind is what values a key takes. Values that depend on the Go type of what
// they are about are checked where the type is known.
type keyKind uint8

const (
	kindFlag     keyKind = iota // key alone, or =true, =false
	kindText                    // any text
	kindCount                   // a whole number from 0
	kindNumber                  // a JSON number
	kindDuration                // 1m30s
	kindPattern                 // a regular expression
	kindSchema                  // a JSON object
	kindHeader                  // a name of an HTTP header
	kindIcon                    // where an image is
	kindChoice                  // one of choice
	kindValue                   // a value of the Go type
	kindList                    // values of the Go type: a,b,c or a JSON array
)

func (k *key) isFlag() bool { return k.kind == kindFlag }

// sample is an example of the value, for hints and help.
func (k *key) sample() string {
	switch k.kind {
	case kindCount:
		return "10"
	case kindNumber:
		return "1"
	case kindDuration:
		return "30s"
	case kindPattern:
		return "^[a-z]+$"
	case kindSchema:
		return "`{\"type\":\"string\"}`"
	case kindHeader:
		return "Region"
	case kindIcon:
		return "https://example.com/icon.png"
	case kindChoice:
		return strings.Join(k.choice, "|")
	case kindList:
		return "a,b"
	case kindValue:
		return "VALUE"
	}
	return `"text"`
}

// check says what is wrong with a value, as far as it can be known without a
// type.
func (k *key) check(value string) string {
	switch k.kind {
	case kindFlag:
		if value != "true" && value != "false" {
			return "is true or false"
		}
	case kindText:
		if value == "" {
			return "is empty"
		}
	case kindCount:
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return "is not a whole number from 0"
		}
	case kindNumber:
		if !isJSONNumber(value) {
			return "is not a number"
		}
	case kindDuration:
		return checkDuration(value)
	case kindPattern:
		if _, err := regexp.Compile(value); err != nil {
			return "is not a regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		}
	case kindSchema:
		return checkSchema(value)
	case kindHeader:
		if !headerName.MatchString(value) {
			return "is no name of an HTTP header"
		}
	case kindIcon:
		if u, err := url.Parse(value); err != nil || u.Scheme != "https" && u.Scheme != "data" {
			return "is no https: or data: URI"
		}
	case kindChoice:
		if !slices.Contains(k.choice, value) {
			return "is one of " + strings.Join(k.choice, ", ")
		}
	}
	return ""
}

// headerName is a field name (RFC 9110, 5.6.2 Tokens).
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// checkSchema says why text is not a schema.
func checkSchema(text string) string {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return "is not a JSON object: " + err.Error()
	}
	return ""
}

func checkWords(rest string) string {
	if rest == "" {
		return "names no value"
	}
	return ""
}

func checkNothing(rest string) string {
	if rest != "" && !strings.HasPrefix(rest, "//") {
		return "takes no arguments"
	}
	return ""
}

func isJSONNumber(s string) bool {
	return s != "" && (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && json.Valid([]byte(s))
}

// valueKeys say what a value may be. //mcp:param and //mcp:field share them, and
// struct tags are translated to them.
var valueKeys = []key{
	{name: "desc", kind: kindText, help: "the description, instead of the one in the doc comment"},
	{name: "optional", help: "may be left out; the function gets the zero value"},
	{name: "required", help: "must be given"},
	{name: "default", kind: kindValue, help: "the value when it is left out"},
	{name: "enum", kind: kindList, repeat: true, help: "the only values allowed"},
	{name: "min", kind: kindNumber, help: "the least number allowed"},
	{name: "max", kind: kindNumber, help: "the greatest number allowed"},
	{name: "exclusiveMin", kind: kindNumber, help: "the number must be above"},
	{name: "exclusiveMax", kind: kindNumber, help: "the number must be below"},
	{name: "multipleOf", kind: kindNumber, help: "the number must be a multiple"},
	{name: "minLength", kind: kindCount, help: "the least number of characters"},
	{name: "maxLength", kind: kindCount, help: "the greatest number of characters"},
	{name: "pattern", kind: kindPattern, help: "a regular expression that the text matches"},
	{name: "format", kind: kindText, help: "a JSON Schema format: email, uri, uuid, date…"},
	{name: "minItems", kind: kindCount, help: "the least number of items"},
	{name: "maxItems", kind: kindCount, help: "the greatest number of items"},
	{name: "uniqueItems", help: "no two items are equal"},
	{name: "example", kind: kindValue, repeat: true, help: "an example"},
	{name: "deprecated", help: "still works, better not used"},
	{name: "schema", kind: kindSchema, help: "the JSON Schema, instead of the one made from the type"},
	{name: "header", kind: kindHeader, help: "clients repeat the value in the HTTP header Mcp-Param-NAME, for proxies to route by"},
}

// verbs are all directives there are.
var verbs = []*verb{
	{name: "tool", hosts: onFunc | onVar, help: "makes the function a tool", keys: []key{
		{name: "name", kind: kindText, help: "the tool's name, else the function's in snake_case"},
		{name: "title", kind: kindText, help: "a short name for people"},
		{name: "desc", kind: kindText, help: "the description, instead of the doc comment"},
		{name: "readonly", help: "changes nothing"},
		{name: "destructive", help: "may delete or overwrite; the default unless readonly"},
		{name: "idempotent", help: "a second call with the same arguments changes nothing more"},
		{name: "openworld", help: "reaches beyond this server; the default"},
		{name: "mime", kind: kindText, help: "media type of a []byte, reader or image result"},
		{name: "out", kind: kindChoice, choice: []string{"auto", "full", "none", "text"}, help: "the output schema: unless large, always, never, nor structured content"},
		{name: "maxItems", kind: kindCount, help: "how many items of an iterator are read"},
		{name: "maxBytes", kind: kindCount, help: "how many bytes of a reader are read"},
		{name: "timeout", kind: kindDuration, help: "deadline of the context"},
		{name: "group", kind: kindText, help: "the group it is listed in, else the package"},
		{name: "icon", kind: kindIcon, repeat: true, help: "an image that clients may show"},
		{name: "meta", kind: kindSchema, help: "its _meta, a JSON object for clients that know it"},
	}},
	{name: "resource", hosts: onFunc | onVar, help: "makes the function a resource or, with {variables} in its URI, a template", keys: []key{
		{name: "uri", kind: kindText, help: "the URI; each {variable} is a parameter"},
		{name: "name", kind: kindText, help: "the name, else the function's in snake_case"},
		{name: "title", kind: kindText, help: "a short name for people"},
		{name: "desc", kind: kindText, help: "the description, instead of the doc comment"},
		{name: "mime", kind: kindText, help: "the media type"},
		{name: "maxBytes", kind: kindCount, help: "how many bytes of a reader are read"},
		{name: "timeout", kind: kindDuration, help: "deadline of the context"},
	}},
	{name: "prompt", hosts: onFunc | onVar, help: "makes the function a prompt", keys: []key{
		{name: "name", kind: kindText, help: "the name, else the function's in snake_case"},
		{name: "title", kind: kindText, help: "a short name for people"},
		{name: "desc", kind: kindText, help: "the description, instead of the doc comment"},
		{name: "timeout", kind: kindDuration, help: "deadline of the context"},
	}},
	{name: "param", hosts: onFunc | onVar, target: "NAME", help: "says more about a parameter, by name or number, or about a field in it: order.lines",
		keys: append([]key{
			{name: "name", kind: kindText, help: "the argument's name, else the parameter's"},
			{name: "hidden", help: "not an argument: the function gets the zero value"},
			{name: "fixed", kind: kindValue, help: "not an argument: the function always gets this value"},
			{name: "env", kind: kindText, help: "not an argument: the value of this environment variable, which must be set at start"},
			{name: "progress", help: "a func(done, total float64, message string) that reports progress"},
		}, valueKeys...)},
	{name: "result", hosts: onFunc | onVar, target: "NAME", help: "says more about a result, by name or number", keys: []key{
		{name: "name", kind: kindText, help: "its property in the result object"},
		{name: "desc", kind: kindText, help: "its description"},
		{name: "ignore", help: "leaves it out"},
	}},
	{name: "provider", hosts: onFunc | onVar, help: "makes the value it returns available to methods and parameters of that type, once, at start"},
	{name: "field", hosts: onField, help: "says more about a struct field", keys: valueKeys},
	{name: "enum", hosts: onType, raw: checkWords, rest: "open | closed | VALUE…", help: "says whether the constants of a type are all its values, or lists its texts"},
	{name: "schema", hosts: onType, raw: checkSchema, rest: "{JSON}", help: "gives the JSON Schema of a type"},
	{name: "ignore", raw: checkNothing, hosts: onConst | onField, help: "leaves out a constant or a field"},
	{name: "package", hosts: onClause, help: "says what holds for all of the package", keys: []key{
		{name: "prefix", kind: kindText, help: "stands before every tool name that is made from a function's"},
		{name: "name", kind: kindText, help: "the server's name"},
		{name: "version", kind: kindText, help: "the server's version"},
		{name: "title", kind: kindText, help: "the server's name for people"},
		{name: "instructions", kind: kindText, help: "what a model should know before it calls"},
	}},
}

func verbNamed(name string) *verb {
	for _, v := range verbs {
		if v.name == name {
			return v
		}
	}
	return nil
}

func verbNames() []string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}

func (v *verb) key(name string) *key {
	for i := range v.keys {
		if v.keys[i].name == name {
			return &v.keys[i]
		}
	}
	return nil
}

func (v *verb) keyNames() []string {
	var names []string
	for _, k := range v.keys {
		names = append(names, k.name)
	}
	return names
}

// WriteHelp prints the directives and their keys.
func WriteHelp(w io.Writer) error {
	var b strings.Builder
	for i, v := range verbs {
		if i > 0 {
			b.WriteByte('\n')
		}
		line := "//mcp:" + v.name
		for _, part := range []string{v.target, v.rest} {
			if part != "" {
				line += " " + part
			}
		}
		fmt.Fprintf(&b, "%s\n    on %s: %s\n", line, v.hosts, v.help)
		for _, k := range v.keys {
			sample := k.name
			if !k.isFlag() {
				sample += "=" + k.sample()
			}
			fmt.Fprintf(&b, "    %-28s %s\n", sample, k.help)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
