package gen

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/seed7346ab69/toolmill/templates"
)

// Packaging asks for the files that ship a server: a Dockerfile, server.json of
// the MCP registry, the manifest of an MCP bundle, client configurations,
// Kubernetes objects and a GoReleaser configuration. They are written once. Its
// fields are what neither the document nor the machine knows; an empty one
// becomes an example that is valid and recognisable.
type Packaging struct {
	RegistryName string // "io.github.you/petstore"; empty: under [Placeholder]
	Image        string // "ghcr.io/you/petstore", without a tag; empty: under [Placeholder]
	Repository   string // "https://github.com/you/petstore"; empty: not told
	Release      string // "1.2.0"; empty: the document's version, or 0.1.0
}

// Placeholder stands in the packaging for the name of whoever publishes.
const Placeholder = "your-name"

// Placeholders returns which flags would replace a [Placeholder].
func (p *Packaging) Placeholders() []string {
	var flags []string
	if p.RegistryName == "" {
		flags = append(flags, "-registry-name")
	}
	if p.Image == "" {
		flags = append(flags, "-image")
	}
	if _, known := account(p.RegistryName); p.RegistryName != "" && p.Repository == "" && !known {
		flags = append(flags, "-repository")
	}
	return flags
}

var (
	// registryName is the rule of server.json's name (schema 2025-12-11).
	registryName = regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)
	// imageName is a repository as OCI registries name it (distribution-spec 1.1,
	// "Pulling manifests"), behind the registry's host.
	imageName = regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*(?::[0-9]+)?(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)+$`)
)

// check refuses what would make a file invalid, or mean something else in it.
func (p *Packaging) check() error {
	refuse := func(flag, value, message, hint string) error {
		return &RefusedError{Code: "packaging", Message: fmt.Sprintf("%s %s: %s", flag, line(value), message), Hint: hint}
	}
	if p.RegistryName != "" && (!registryName.MatchString(p.RegistryName) || len(p.RegistryName) > 200) {
		return refuse("-registry-name", p.RegistryName, "it must be a namespace, one slash and a name", "for example io.github.you/petstore")
	}
	if p.Image != "" && (!imageName.MatchString(p.Image) || len(p.Image) > 255) {
		return refuse("-image", p.Image, "it must be a registry and a repository in lower case, without a tag", "for example ghcr.io/you/petstore")
	}
	if p.Repository != "" {
		u, err := url.Parse(p.Repository)
		if err != nil || u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") == "" || u.String() != p.Repository ||
			u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(p.Repository, "/") {
			return refuse("-repository", p.Repository, "it must be the https:// address of a repository", "for example https://github.com/you/petstore")
		}
	}
	if p.Release != "" && (semver.Canonical("v"+p.Release) != "v"+p.Release || len(p.Release) > 100) {
		return refuse("-release", p.Release, "it must be a version of three numbers", "for example 1.2.0")
	}
	return nil
}

// account is the GitHub account of a registry name, if it has one.
func account(registryName string) (string, bool) {
	namespace, _, _ := strings.Cut(registryName, "/")
	return strings.CutPrefix(namespace, "io.github.")
}

// packaging is a [Packaging] with every field decided; Repository may be empty.
type packaging struct {
	Packaging
	author   string
	bundle   string // where a release offers the bundle
	settings []setting
}

func (p *plan) packaging(given Packaging) *packaging {
	k := &packaging{Packaging: given, settings: p.settings()}
	slug := p.slug()
	k.RegistryName = cmp.Or(given.RegistryName, "io.github."+Placeholder+"/"+slug)
	k.Image = cmp.Or(given.Image, "ghcr.io/"+Placeholder+"/"+slug)
	k.Release = cmp.Or(given.Release, p.release())
	owner, known := account(k.RegistryName)
	k.author = owner
	if !known {
		owner = Placeholder
	}
	k.bundle = cmp.Or(given.Repository, "https://github.com/"+owner+"/"+slug) + "/releases/download/v" + k.Release + "/" + p.name() + ".mcpb"
	return k
}

// release is the document's version as a semantic one, or a first one of ours.
func (p *plan) release() string {
	const longest = 100 // a tag of an image ends at 128 (OCI distribution-spec 1.1)
	version := strings.TrimPrefix(semver.Canonical("v"+p.server.Version), "v")
	if version == "" || len(version) > longest {
		return "0.1.0"
	}
	return version
}

// slug is the server's name as Kubernetes takes it for a Service, with room for
// a suffix (RFC 1035, 2.3.1: 63 characters, a letter first).
func (p *plan) slug() string {
	name := strings.Trim(strings.ReplaceAll(strings.ToLower(p.name()), "_", "-"), "-")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = strings.TrimSuffix("mcp-"+name, "-")
	}
	return strings.TrimRight(name[:min(len(name), 50)], "-")
}

// packagingFiles prints all of them.
func (p *plan) packagingFiles(opts Options) ([]File, error) {
	if opts.Packaging == nil {
		return nil, nil
	}
	if err := opts.Packaging.check(); err != nil {
		return nil, err
	}
	k := p.packaging(*opts.Packaging)
	var files []File
	for _, f := range []struct {
		path  string
		value any
	}{
		{".mcp.json", p.projectConfig(k)},
		{".vscode/mcp.json", p.editorConfig(k)},
		{"manifest.json", p.manifest(k)},
		{"server.json", p.registryEntry(k)},
	} {
		text, err := jsonFile(f.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		files = append(files, File{Path: f.path, Data: text, Once: true})
	}
	data := templates.Data{Name: p.name(), Packaging: templates.Packaging{
		Slug: p.slug(), ImportPath: opts.importPath(), RegistryName: k.RegistryName, Image: k.Image, Release: k.Release, Repository: k.Repository,
		Settings: asked(k.settings),
	}}
	for _, f := range []struct{ path, template string }{
		{".goreleaser.yaml", "goreleaser.yaml"}, {"Dockerfile", "Dockerfile"}, {"kubernetes.yaml", "kubernetes.yaml"},
	} {
		text, err := templates.Execute(f.template, data)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: f.path, Data: text, Once: true})
	}
	return files, nil
}
