package gen

import (
	"crypto/sha256"
	"encoding/hex"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// plan is a server with every name of the output decided.
type plan struct {
	server   *ir.Server
	runtime  string  // import path
	groups   []group // of tools that send requests
	packages []*importedPackage
	otel     bool // the server has OpenTelemetry
	mock     bool // it can answer without its upstream
}

// importedPackage is an annotated package and what server.go calls it.
type importedPackage struct {
	*goPackage
	alias string
}

// depsFile is where the program makes the package's dependencies.
func (p *importedPackage) depsFile() string {
	if isBuildSuffix(p.alias) {
		return "deps_" + p.alias + "_package.go"
	}
	return "deps_" + p.alias + ".go"
}

// group is one file of handlers.
type group struct {
	ir.Group
	file  string // "tools_pets.go"
	tools []tool
}

// tool is one handler and one tool file.
type tool struct {
	*ir.Tool
	ident string // "getPet", the handler
	file  string // "getPet.json", in tools/
}

func newPlan(server *ir.Server, runtime string) (*plan, error) {
	p := &plan{server: server, runtime: runtime}
	var all []*ir.Tool
	for _, g := range server.Groups {
		all = append(all, requests(g.Tools)...)
	}
	idents, files := handlerNames(all), toolFileNames(all)
	groupFiles := groupFileNames(server.Groups)
	for i, g := range server.Groups {
		planned := group{Group: g, file: groupFiles[i]}
		for _, t := range requests(g.Tools) {
			planned.tools = append(planned.tools, tool{Tool: t, ident: idents[t], file: files[t]})
		}
		if len(planned.tools) > 0 {
			p.groups = append(p.groups, planned)
		}
	}
	names := newImports(slices.Concat(slices.Collect(maps.Values(idents)), taken, types.Universe.Names(), []string{"New", "s"})...)
	for _, pkg := range server.Packages {
		g, err := newGoPackage(pkg, runtime)
		if err != nil {
			return nil, err
		}
		p.packages = append(p.packages, &importedPackage{g, names.useAs(pkg.ImportPath, pkg.Name)})
	}
	return p, nil
}

// tools are those of all groups.
func (p *plan) tools() []tool {
	var all []tool
	for _, g := range p.groups {
		all = append(all, g.tools...)
	}
	return all
}

// requests are the tools that send requests.
func requests(tools []*ir.Tool) []*ir.Tool {
	var out []*ir.Tool
	for _, t := range tools {
		if t.Request != nil {
			out = append(out, t)
		}
	}
	return out
}

// name is the server's name for the templates, which take it as it is.
func (p *plan) name() string {
	if name := ir.ToolName(p.server.Name, ir.AsWritten); name != "" {
		return name
	}
	return "server"
}

// title is what people call the server.
func (p *plan) title() string {
	if t := line(p.server.Title); t != "" {
		return t
	}
	return p.server.Name
}

// toolFileNames gives each tool its file: its name, different from all others
// without regard to case, and no device of Windows.
func toolFileNames(tools []*ir.Tool) map[*ir.Tool]string {
	claims := make([]ir.Claim, len(tools))
	for i, t := range tools {
		stem := ir.ToolName(t.Name, ir.AsWritten)
		switch {
		case stem == "":
			stem = "tool"
		case isDevice(stem):
			stem += "_tool"
		}
		claims[i].Name = stem
	}
	files := make(map[*ir.Tool]string, len(tools))
	for i, stem := range ir.Distinct(claims, strings.ToLower) {
		files[tools[i]] = stem + ".json"
	}
	return files
}

// groupFileNames gives each group its file: tools_<group>.go in lower case, and
// no name that the go command would take for a test or another platform.
func groupFileNames(groups []ir.Group) []string {
	claims := make([]ir.Claim, len(groups))
	for i, g := range groups {
		stem := strings.Trim(ir.ToolName(g.Name, ir.Snake), "_")
		if stem == "" {
			// Nothing of the name can stand in a file name. A digest depends on
			// no other group, as a number would.
			sum := sha256.Sum256([]byte(g.Name))
			stem = "group_" + hex.EncodeToString(sum[:4])
		}
		if isBuildSuffix(stem[strings.LastIndexByte(stem, '_')+1:]) {
			stem += "_group"
		}
		claims[i].Name = stem
	}
	names := ir.Distinct(claims, func(s string) string { return s })
	for i, stem := range names {
		names[i] = "tools_" + stem + ".go"
	}
	return names
}

// isDevice reports whether Windows takes a file of that name, whatever its
// extension, for a device.
func isDevice(stem string) bool {
	stem = strings.ToLower(stem)
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && '0' <= stem[3] && stem[3] <= '9'
}

// isBuildSuffix reports whether a file name that ends in _word.go is special to
// the go command ("go help buildconstraint"). Systems of the past count: a
// toolchain knows them all.
func isBuildSuffix(word string) bool {
	switch word {
	case "test",
		"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl",
		"netbsd", "openbsd", "plan9", "solaris", "wasip1", "wasip2", "windows", "zos",
		"386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle", "mips64",
		"mips64le", "mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x",
		"sparc", "sparc64", "wasm":
		return true
	}
	return false
}
