package runtime

import (
	"encoding/json"
	"fmt"
)

// catalogTool is the object in tools/list of one of the tools of search mode, beside
// which so many are not listed.
//
// What call_tool does depends on the tool that it calls, so its hints are the
// worst: a host that lets only harmless tools run unasked must ask here.
func catalogTool(name string, unlisted int, api string) json.RawMessage {
	api = cut(printable(api), 80)
	switch name {
	case searchName:
		return catalogObject(name, "Find tools",
			fmt.Sprintf("Find tools of %s by what they do. This server does not list %d of its tools: search here first, then call what you found with %s. Say what is to be done in plain words: \"list open issues of a repository\".", api, unlisted, callName),
			`{"type":"object","properties":{`+
				`"query":{"type":"string","minLength":1,"maxLength":500,"description":"What the tool should do, in plain words."},`+
				fmt.Sprintf(`"limit":{"type":"integer","minimum":1,"maximum":%d,"default":%d,"description":"How many tools to return, best first."}`, maxFound, defaultFound)+
				`},"required":["query"],"additionalProperties":false}`, true)
	case describeName:
		return catalogObject(name, "Describe tools",
			fmt.Sprintf("Return tools in full: description, whole input schema and hints. Look here before a call of %s whose arguments are not plain.", callName),
			fmt.Sprintf(`{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":%d,"description":"Names of tools, as %s returns them."}},`, maxDescribed, searchName)+
				`"required":["names"],"additionalProperties":false}`, true)
	default:
		return catalogObject(name, "Call a tool",
			fmt.Sprintf("Call a tool that %s found. The result is the tool's own. Arguments that do not fit its input schema are refused with the reason.", searchName),
			fmt.Sprintf(`{"type":"object","properties":{"name":{"type":"string","description":"Name of the tool, as %s returns it."},`, searchName)+
				`"arguments":{"type":"object","description":"Arguments of the tool, by name."}},"required":["name"],"additionalProperties":false}`, false)
	}
}

func catalogObject(name, title, description, input string, harmless bool) json.RawMessage {
	return fmt.Appendf(nil, `{"name":%s,"title":%s,"description":%s,"inputSchema":%s,"annotations":{"readOnlyHint":%t,"destructiveHint":%t,"idempotentHint":%t,"openWorldHint":%t}}`,
		quote(name), quote(title), quote(description), input, harmless, !harmless, harmless, !harmless)
}
