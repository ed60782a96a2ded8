package gen

import (
	"cmp"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// imports names the packages that one file imports. jennifer would do it from
// use, but it knows nothing of what the rest of the package declares, and a name
// that is an import in one file must not be declared in any other.
type imports struct {
	avoid map[string]bool   // names that mean something else in the file
	names map[string]string // by import path
	plain map[string]bool   // paths whose name is the package's own, known for sure
}

func newImports(avoid ...string) *imports {
	im := &imports{avoid: map[string]bool{}, names: map[string]string{}, plain: map[string]bool{}}
	for _, name := range avoid {
		im.avoid[name] = true
	}
	return im
}

// use imports a package and returns what the file calls it.
func (im *imports) use(importPath string) string {
	if name := im.names[importPath]; name != "" {
		return name
	}
	name := im.useAs(importPath, importName(importPath))
	im.plain[importPath] = im.plain[importPath] && isStandard(importPath)
	return name
}

// useAs is use for a package whose name is known.
func (im *imports) useAs(importPath, base string) string {
	name := base
	for n := 2; im.avoid[name]; n++ {
		name = numbered(base, n)
	}
	im.avoid[name], im.names[importPath], im.plain[importPath] = true, name, name == base
	return name
}

// qualified refers to a name of a package.
func (im *imports) qualified(importPath, name string) *jen.Statement {
	return jen.Id(im.use(importPath)).Dot(name)
}

// code prints an expression or type of the model.
func (im *imports) code(c ir.Code) string {
	var b strings.Builder
	for _, piece := range c {
		if piece.Path != "" {
			b.WriteString(im.use(piece.Path) + "." + piece.Name)
		} else {
			b.WriteString(piece.Text + piece.Name)
		}
	}
	return b.String()
}

// local prints code that names no other package; the rest is "".
func local(c ir.Code) string {
	var b strings.Builder
	for _, piece := range c {
		if piece.Path != "" {
			return ""
		}
		b.WriteString(piece.Text + piece.Name)
	}
	return b.String()
}

// begins reports whether code begins with a token: "*", "[]".
func begins(c ir.Code, token string) bool {
	return len(c) > 0 && strings.HasPrefix(c[0].Text, token)
}

// declaration prints the import declaration: the standard library first. A name
// stands beside each path that does not say it.
func (im *imports) declaration() jen.Code {
	paths := make([]string, 0, len(im.names))
	for p := range im.names {
		paths = append(paths, p)
	}
	slices.SortFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(importGroup(a), importGroup(b)), cmp.Compare(a, b))
	})
	return jen.Id("import").DefsFunc(func(g *jen.Group) {
		for i, p := range paths {
			if i > 0 && importGroup(p) != importGroup(paths[i-1]) {
				g.Line()
			}
			if im.plain[p] {
				g.Lit(p)
			} else {
				g.Id(im.names[p]).Lit(p)
			}
		}
	})
}

// importGroup is 0 for packages of the standard library.
func importGroup(importPath string) int {
	if isStandard(importPath) {
		return 0
	}
	return 1
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".") && standard[first]
}

// standard are the first elements of the paths that the standard library's
// packages have. A module may have a path without a dot too.
var standard = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`archive bufio bytes cmp compress container context crypto database debug embed encoding
		errors expvar flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime
		slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak`) {
		m[name] = true
	}
	return m
}()

// version is the last element of the path of a module's later major versions.
var version = regexp.MustCompile(`^v[0-9]+$`)

// importName is what a package is likely called.
func importName(importPath string) string {
	elements := strings.Split(importPath, "/")
	last := elements[len(elements)-1]
	if version.MatchString(last) && len(elements) > 1 {
		last = elements[len(elements)-2]
	}
	if before, after, found := strings.Cut(last, ".v"); found && version.MatchString("v"+after) {
		last = before
	}
	last = strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
	name := strings.Map(func(r rune) rune {
		if isAlnum(r) || r == '_' {
			return r
		}
		return -1
	}, last)
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		name = "pkg" + name
	}
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil || name == "init" || name == "main" {
		name += "pkg"
	}
	return name
}

// rawLit is a literal of JSON or the like: in back quotes, which need no escapes,
// where the text can stand in them.
func rawLit(text string) jen.Code {
	if strconv.CanBackquote(text) && strings.ContainsAny(text, "\"\\") {
		return jen.Id("`" + text + "`")
	}
	return jen.Lit(text)
}
