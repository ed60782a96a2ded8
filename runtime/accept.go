package runtime

import (
	"bytes"
	"encoding/json"
	"strings"
)

// accept decodes, repairs and checks the arguments. It returns nil, or the
// result that refuses the call.
func (c *Call) accept(arguments json.RawMessage) *Result {
	raw := bytes.TrimSpace(arguments)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	if !json.Valid(raw) {
		return c.refuse("the arguments are not valid JSON")
	}
	if kindOf(raw) == '"' && !c.server.config.StrictArguments {
		if inner := bytes.TrimSpace([]byte(stringOf(raw))); json.Valid(inner) && kindOf(inner) == '{' {
			c.note("The arguments were a JSON string and were read as the object in it.")
			raw = inner
		}
	}
	value, err := decode(raw)
	switch {
	case err != nil:
		return c.refuse(err.Error())
	case kindOf(raw) != '{':
		return c.refuse("the arguments must be one JSON object that holds each argument by its name, got " + describe(value))
	}
	c.args = map[string]json.RawMessage{}
	for name, arg := range members(raw) {
		c.args[name] = arg
	}
	sc := c.tool.check()
	violations := sc.validate(value)
	for round := 0; round < maxRepairs && len(violations) > 0 && c.repair(sc, value, violations); round++ {
		violations = sc.validate(value)
	}
	if len(violations) > 0 {
		return c.refuse(explain(sc, value, violations)...)
	}
	return nil
}

// refuse returns the result for arguments that do not fit, one problem a line.
func (c *Call) refuse(problems ...string) *Result {
	r := Failure("%s was not called, because its arguments do not fit:\n- %s",
		c.tool.Name, strings.Join(problems, "\n- "))
	r.refused = true
	return r
}
