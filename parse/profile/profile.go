package profile

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// Profile is what one host accepts.
type Profile struct {
	Name string
	// prefix is what the host puts before a tool's name, and counts; nil: nothing.
	prefix func(server string) string
	tools  int // that the host takes at most; 0: any number
	passes []func(root *node.Node) *node.Node
}

// profiles by name. The sources of their limits:
//
//   - claude: names of 64 with Claude Code's prefix mcp__server__, on Amazon Bedrock
//     and wherever tools are searched (anthropics/claude-code issues 5132, 19882);
//     Anthropic's own API takes 128 by now (anthropics/claude-code issue 96152). No
//     union at the root (makenotion/notion-mcp-server issue 341).
//   - openai: 128 tools, names of 64, an object with properties at the root, items
//     in every array (openai/openai-openapi issue 76, getsentry/sentry-mcp issue 106).
//   - gemini: names of 63 with the prefix mcp_server_ (google-gemini/gemini-cli issue
//     20987); the Schema of its API is OpenAPI 3.0's with a few keywords
//     (danny-avila/LibreChat issue 13850, ai.google.dev/api/caching, Schema), each
//     with its own type (anomalyco/opencode issue 11889, musistudio/llms issue 20).
//     An object without properties is refused (agno-agi/agno issue 2112) or comes
//     back empty (livekit/agents issue 7170).
//   - vscode: 128 tools, names cut at 64 behind a prefix of 18 at most
//     (microsoft/vscode, McpToolName), references dropped with their definitions
//     (PrefectHQ/fastmcp issues 2814 and 2861), no array with items that say nothing (vscode-copilot-release
//     issue 11653, microsoft/vscode issue 246119).
//   - strict: OpenAI's Structured Outputs, where every property is required and no
//     object is open, and of formats nine are known (platform.openai.com, guide
//     Structured Outputs, Supported schemas; cyanheads/git-mcp-server issue 47).
var profiles = []*Profile{
	{Name: "claude", prefix: claudePrefix},
	{Name: "openai", tools: 128, passes: passes(typedItems, withProperties)},
	{Name: "gemini", prefix: geminiPrefix,
		passes: passes(inline, compose, enumsOfText, geminiKeywords, freeText, singleTypes, nullableFlag, ofOneType)},
	{Name: "vscode", tools: 128, prefix: vscodePrefix,
		passes: passes(inline, typedItems)},
	{Name: "strict", tools: 128, passes: passes(inline, compose, strictKeywords, freeText, closed, withProperties)},
}

func passes(all ...func(*node.Node) *node.Node) []func(*node.Node) *node.Node { return all }

// Names lists the profiles.
func Names() []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	return names
}

// Apply rewrites the tools of s for the host called name, one of [Names]; an empty
// one is no host, and leaves them as they are. It warns of names that are too long
// for a known host, if the profile makes none fit.
func Apply(name string, s *ir.Server, diags *diag.List) {
	if name == "" {
		warnLong(s, diags)
		return
	}
	i := slices.IndexFunc(profiles, func(p *Profile) bool { return p.Name == name })
	p := profiles[i]
	tools := s.Tools()
	for _, t := range tools {
		p.rewrite(t)
	}
	if p.prefix != nil {
		p.shorten(s, tools, diags)
	} else {
		warnLong(s, diags)
	}
	if p.tools > 0 && len(tools) > p.tools {
		diags.Warn(diag.Pos{File: s.Source}, "too-many-tools", "%d tools; a host of the profile %s takes %d at most: choose with -include and -exclude, or serve them with -tools search",
			len(tools), p.Name, p.tools)
	}
}

func (p *Profile) rewrite(t *ir.Tool) {
	file := &node.File{}
	if node.Parse(file, t.Input) != nil {
		return // a tool's schema is JSON: ir.Server.Check has seen to it
	}
	root := file.Root
	for _, pass := range p.passes {
		root = pass(root)
	}
	if root == file.Root {
		return
	}
	if t.Full == nil {
		t.Full = t.Input
	}
	t.Input = node.AppendJSON(nil, root)
}
