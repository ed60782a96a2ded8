package gen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
)

// jsonFile is how JSON files are printed. The encoder is what keeps the text of
// documents text.
func jsonFile(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return b.Bytes(), err
}

// registryEntry is server.json: schema 2025-12-11 of the MCP registry.
type registryEntry struct {
	Schema      string              `json:"$schema"`
	Name        string              `json:"name"`
	Title       string              `json:"title"`
	Description string              `json:"description"`
	Repository  *registryRepository `json:"repository,omitempty"`
	Version     string              `json:"version"`
	Packages    []registryPackage   `json:"packages"`
}

type registryRepository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type registryPackage struct {
	Type       string            `json:"registryType"`
	Identifier string            `json:"identifier"`
	SHA256     string            `json:"fileSha256,omitempty"`
	Transport  registryTransport `json:"transport"`
	Settings   []registrySetting `json:"environmentVariables,omitempty"`
}

type registryTransport struct {
	Type string `json:"type"`
}

type registrySetting struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Required    bool     `json:"isRequired"`
	Secret      bool     `json:"isSecret"`
	Default     string   `json:"default,omitempty"`
	Choices     []string `json:"choices,omitempty"`
}

func (p *plan) registryEntry(k *packaging) registryEntry {
	var settings []registrySetting
	for _, s := range k.settings {
		settings = append(settings, registrySetting{s.name, s.about, s.required, s.secret, s.initial, s.choices})
	}
	stdio := registryTransport{"stdio"}
	e := registryEntry{
		Schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:   k.RegistryName, Title: p.label(100), Description: p.blurb(), Version: k.Release,
		Packages: []registryPackage{
			{Type: "oci", Identifier: k.Image + ":" + k.Release, Transport: stdio, Settings: settings},
			{Type: "mcpb", Identifier: k.bundle, SHA256: strings.Repeat("0", 64), Transport: stdio, Settings: settings},
		},
	}
	if k.Repository != "" {
		e.Repository = &registryRepository{k.Repository, forge(k.Repository)}
	}
	return e
}

// forge names the service that hosts a repository.
func forge(repository string) string {
	u, err := url.Parse(repository)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Hostname(), ".com")
}

// label is the title in one line of at most n characters, never empty.
func (p *plan) label(n int) string { return cmp.Or(brief(p.title(), n), p.name()) }

// blurb describes the server in one line of at most 100 characters, the most
// that the registry takes: the first sentence of the document's description, below
// a heading, if it fits, else the title.
func (p *plan) blurb() string {
	const most, suffix = 100, " as tools for language models"
	all := paragraphs(p.server.Description)
	if len(all) > 1 && len(all[0]) == 1 && strings.Contains(strings.ToLower(p.title()), strings.ToLower(all[0][0])) {
		all = all[1:]
	}
	if len(all) > 0 {
		sentence, _, _ := strings.Cut(strings.Join(all[0], " ")+" ", ". ")
		if sentence = strings.TrimRight(sentence, ". "); sentence != "" && len([]rune(sentence)) <= most {
			return sentence
		}
	}
	return p.label(most-len(suffix)) + suffix
}

// bundleManifest is manifest.json: version 0.3 of the MCP bundle's manifest.
type bundleManifest struct {
	ManifestVersion string                  `json:"manifest_version"`
	Name            string                  `json:"name"`
	DisplayName     string                  `json:"display_name"`
	Version         string                  `json:"version"`
	Description     string                  `json:"description"`
	LongDescription string                  `json:"long_description,omitempty"`
	Author          bundleAuthor            `json:"author"`
	Repository      *bundleRepository       `json:"repository,omitempty"`
	Server          bundleServer            `json:"server"`
	ToolsGenerated  bool                    `json:"tools_generated"`
	Compatibility   bundleCompatibility     `json:"compatibility"`
	UserConfig      ordered[bundleQuestion] `json:"user_config,omitzero"`
}

type bundleAuthor struct {
	Name string `json:"name"`
}

type bundleRepository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type bundleServer struct {
	Type       string        `json:"type"`
	EntryPoint string        `json:"entry_point"`
	Config     bundleCommand `json:"mcp_config"`
}

type bundleCommand struct {
	Command   string                 `json:"command"`
	Args      []string               `json:"args,omitzero"`
	Env       ordered[string]        `json:"env,omitzero"`
	Overrides ordered[bundleCommand] `json:"platform_overrides,omitzero"`
}

type bundleCompatibility struct {
	Platforms []string `json:"platforms"`
}

type bundleQuestion struct {
	Type        string  `json:"type"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Sensitive   bool    `json:"sensitive"`
	Required    bool    `json:"required"`
	Default     *string `json:"default,omitempty"`
}

func (p *plan) manifest(k *packaging) bundleManifest {
	m := bundleManifest{
		ManifestVersion: "0.3", Name: p.name(), DisplayName: p.label(100), Version: k.Release,
		Description: p.blurb(), LongDescription: p.server.Description, Author: bundleAuthor{k.author}, ToolsGenerated: true,
		Compatibility: bundleCompatibility{[]string{"darwin", "linux", "win32"}},
	}
	if k.Repository != "" {
		m.Repository = &bundleRepository{"git", k.Repository}
	}
	var env ordered[string]
	for _, s := range k.settings {
		q := bundleQuestion{Type: "string", Title: s.title, Description: s.about, Sensitive: s.secret, Required: s.required}
		if !s.required {
			// A host leaves the variable of an unanswered question as it stands,
			// unless it has a default. The server takes empty for unset.
			q.Default = new(string)
		}
		m.UserConfig.add(s.name, q)
		env.add(s.name, "${user_config."+s.name+"}")
	}
	binary := func(platform, extension string) string { return "server/" + platform + "/" + p.name() + extension }
	command := func(path string) bundleCommand { return bundleCommand{Command: "${__dirname}/" + path} }
	m.Server = bundleServer{Type: "binary", EntryPoint: binary("linux", ""), Config: command(binary("linux", ""))}
	m.Server.Config.Args, m.Server.Config.Env = []string{}, env
	m.Server.Config.Overrides.add("darwin", command(binary("darwin", "")))
	m.Server.Config.Overrides.add("win32", command(binary("win32", ".exe")))
	return m
}

// clientCommand is how a client is told to start the server.
type clientCommand struct {
	Type    string          `json:"type"`
	Command string          `json:"command"`
	Args    []string        `json:"args"`
	Env     ordered[string] `json:"env,omitzero"`
}

// projectConfig is .mcp.json, which Claude Code and others read.
type projectConfig struct {
	Servers ordered[clientCommand] `json:"mcpServers"`
}

func (p *plan) projectConfig(k *packaging) projectConfig {
	command := clientCommand{Type: "stdio", Command: "./" + p.name(), Args: []string{}}
	for _, s := range k.settings {
		switch {
		case s.required:
			command.Env.add(s.name, "${"+s.name+"}")
		case s.asked():
			command.Env.add(s.name, "${"+s.name+":-}") // an unset variable without a default is an error
		}
	}
	var c projectConfig
	c.Servers.add(p.name(), command)
	return c
}

// editorConfig is .vscode/mcp.json.
type editorConfig struct {
	Inputs  []editorInput          `json:"inputs"`
	Servers ordered[clientCommand] `json:"servers"`
}

type editorInput struct {
	Type        string `json:"type"`
	ID          string `json:"id"`
	Description string `json:"description"`
	Password    bool   `json:"password"`
}

func (p *plan) editorConfig(k *packaging) editorConfig {
	c := editorConfig{Inputs: []editorInput{}}
	command := clientCommand{Type: "stdio", Command: "${workspaceFolder}/" + p.name(), Args: []string{}}
	for _, s := range k.settings {
		if s.asked() {
			c.Inputs = append(c.Inputs, editorInput{"promptString", s.name, s.about, s.secret})
			command.Env.add(s.name, "${input:"+s.name+"}")
		}
	}
	c.Servers.add(p.name(), command)
	return c
}

// ordered is a JSON object whose members keep their order.
type ordered[T any] struct {
	names  []string
	values []T
}

func (o *ordered[T]) add(name string, value T) {
	o.names, o.values = append(o.names, name), append(o.values, value)
}

// IsZero makes omitzero leave it out when it is empty.
func (o ordered[T]) IsZero() bool { return len(o.names) == 0 }

// MarshalJSON prints the object.
func (o ordered[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, part := range []any{name, o.values[i]} {
			if j > 0 {
				b.WriteByte(':')
			}
			text, err := jsonFile(part)
			if err != nil {
				return nil, err
			}
			b.Write(bytes.TrimSpace(text))
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
