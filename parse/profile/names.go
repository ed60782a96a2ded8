package profile

import (
	"fmt"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// What hosts put before a tool's name.
func claudePrefix(server string) string { return "mcp__" + server + "__" }
func geminiPrefix(server string) string { return "mcp_" + server + "_" }

// vscodePrefix is as long as it can be: VS Code takes at most 13 characters of a
// server's title.
func vscodePrefix(string) string { return "mcp_" + strings.Repeat("x", 13) + "_" }

// limit is what a known host does about names that are long with its prefix.
type limit struct {
	host   string
	prefix func(server string) string
	most   int
	effect string                   // with the number of tools
	cut    func(name string) string // what the host makes of it; nil: it refuses it
}

// limits are those of hosts. Codex is not among them: it shortens names and keeps
// them apart.
var limits = []limit{
	// ComposioHQ/composio issue 2788
	{"Cursor", func(server string) string { return server }, 59, "leaves out %d", nil},
	// anthropics/claude-code issues 5132 (Bedrock) and 19882 (tool search)
	{"Claude Code", claudePrefix, 64, "fails with %d on Amazon Bedrock and in tool search", nil},
	// anomalyco/opencode issue 3523
	{"opencode", func(server string) string { return server + "_" }, 64, "fails with %d on OpenAI", nil},
	// microsoft/vscode, McpTool.id
	{"VS Code", vscodePrefix, 64, "cuts %d until they are the same", func(name string) string { return name[:64] }},
	// google-gemini/gemini-cli issue 28970
	{"Gemini CLI", geminiPrefix, 63, "cuts %d until they are the same", func(name string) string { return name[:30] + "..." + name[len(name)-30:] }},
}

// broken counts the tools that a host does not offer, or not all of them.
func (l limit) broken(server string, tools []*ir.Tool) int {
	long, same := 0, map[string]int{}
	for _, t := range tools {
		name := l.prefix(server) + t.Name
		if len(name) > l.most {
			if long++; l.cut != nil {
				name = l.cut(name)
			}
		}
		same[name]++
	}
	if l.cut == nil {
		return long
	}
	lost := 0
	for _, n := range same {
		if n > 1 {
			lost += n
		}
	}
	return lost
}

// warnLong says once which hosts have trouble with how many names.
func warnLong(s *ir.Server, diags *diag.List) {
	tools := s.Tools()
	var longest *ir.Tool
	for _, t := range tools {
		if longest == nil || len(t.Name) > len(longest.Name) {
			longest = t
		}
	}
	var effects []string
	room := ir.MaxName // for the name of the server
	for _, l := range limits {
		if count := l.broken(s.Name, tools); count > 0 {
			effects = append(effects, l.host+" "+fmt.Sprintf(l.effect, count))
			room = min(room, l.most-len(l.prefix(""))-len(longest.Name))
		}
	}
	if effects == nil {
		return
	}
	hint := "-profile claude (which fits Cursor and opencode too), gemini or vscode shortens names for that host"
	if room > 0 {
		hint += fmt.Sprintf("; a -name of at most %d characters keeps them as they are", room)
	}
	diags.Add(diag.Diagnostic{Pos: longest.Pos, Code: "long-names", Hint: hint,
		Message: fmt.Sprintf("tool names are long for hosts that add the server's name %q, longest %s: %s", s.Name, longest.Name, strings.Join(effects, "; "))})
}

// maxName is how many characters a host gives a tool's name with its prefix.
const maxName = 63

// minRoom is what a name is left with at least, however long the prefix.
const minRoom = 16

// shorten makes names fit behind the host's prefix. What is cut off is replaced by
// a digest of the name, so that names stay apart and do not depend on each other.
func (p *Profile) shorten(s *ir.Server, tools []*ir.Tool, diags *diag.List) {
	room := maxName - len(p.prefix(s.Name))
	if room < minRoom {
		diags.Warn(diag.Pos{File: s.Source}, "long-server-name", "the server's name %s leaves a tool's %d characters; give a shorter one with -name", s.Name, max(room, 0))
		room = minRoom
	}
	taken := make(map[string]bool, len(tools))
	for _, t := range tools {
		taken[t.Name] = true
	}
	for _, t := range tools {
		if len(t.Name) <= room {
			continue
		}
		name := ir.ShortenTo(room, t.Name, t.Name)
		for n := 2; taken[name]; n++ {
			name = ir.ShortenTo(room, t.Name, fmt.Sprint(t.Name, n))
		}
		taken[name] = true
		p.rename(t, name, room, diags)
	}
	s.Sort()
}

// rename gives a tool another name, and its description another address of the
// whole schema. A name that the input gives does not move without a word.
func (p *Profile) rename(t *ir.Tool, name string, room int, diags *diag.List) {
	if t.Pinned != (diag.Pos{}) {
		diags.Add(diag.Diagnostic{Pos: t.Pinned, Code: "pinned-name-moved", Hint: fmt.Sprintf("give it at most %d characters, or the server a shorter one with -name", room),
			Message: fmt.Sprintf("the given name %s is too long for a host of the profile %s; the tool is %s", t.Name, p.Name, name)})
	}
	if text, ok := strings.CutSuffix(t.Description, ir.WholeSchema(t.Name)); ok {
		t.Description = text + ir.WholeSchema(name)
	}
	t.Name = name
}
