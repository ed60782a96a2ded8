package realpkgs

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// subject is what is exposed of one package.
type subject struct {
	name  string // of the annotated package
	path  string
	types []string // whose methods are exposed too, as expressions
	// ignored is a result that has no JSON form: "*Response".
	ignored string
	// provider makes what methods are called on.
	provider string
	imports  []string
	methods  bool // no functions
	least    int  // how many tools there must be
}

var subjects = []subject{
	{name: "stringsx", path: "strings", least: 40},
	{name: "strconvx", path: "strconv", least: 25},
	{name: "timex", path: "time", types: []string{"Time", "Duration"}, least: 40,
		provider: "//mcp:provider\nfunc utc() *time.Location { return time.UTC }\n"},
	{name: "urlx", path: "net/url", types: []string{"Values"}, least: 8},
	{name: "filepathx", path: "path/filepath", least: 15},
	{name: "githubx", path: "github.com/google/go-github/v74/github",
		types: []string{"*IssuesService", "*RepositoriesService"}, ignored: "*Response", least: 150, methods: true,
		provider: `//mcp:provider
func issues() *github.IssuesService { return github.NewClient(nil).Issues }

//mcp:provider
func repositories() *github.RepositoriesService { return github.NewClient(nil).Repositories }

//mcp:provider
func asset() (*os.File, error) { return os.Open(os.DevNull) }
`, imports: []string{"os"}},
	{name: "clientgox", path: "k8s.io/client-go/kubernetes/typed/core/v1", types: []string{"PodInterface", "NodeInterface"}, least: 10, methods: true,
		imports: []string{"k8s.io/client-go/kubernetes", "k8s.io/client-go/rest"},
		provider: `var client = kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://127.0.0.1:1"}).CoreV1()

//mcp:provider
func pods() v1.PodInterface { return client.Pods("default") }

//mcp:provider
func nodes() v1.NodeInterface { return client.Nodes() }
`},
}

// exposed is one line var _ = pkg.Func.
type exposed struct {
	expr   string // "strings.Cut", "(*github.IssuesService).Get"
	tool   string
	ignore int // the result that is left out, counted from 1
}

// functions lists what the subject's package exports.
func (s subject) functions(t testing.TB) (pkg string, all []exposed) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}, s.path)
	if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		t.Fatalf("loading %s: %v %v", s.path, err, loaded)
	}
	p := loaded[0].Types
	if !s.methods {
		for _, name := range p.Scope().Names() {
			f, ok := p.Scope().Lookup(name).(*types.Func)
			if ok && f.Exported() && f.Signature().TypeParams() == nil {
				all = append(all, exposed{p.Name() + "." + name, ir.ToolName(p.Name()+"_"+name, ir.Snake), s.ignore(f)})
			}
		}
	}
	for _, name := range s.types {
		base := strings.TrimPrefix(name, "*")
		object, ok := p.Scope().Lookup(base).(*types.TypeName)
		if !ok {
			t.Fatalf("%s has no type %s", s.path, base)
		}
		receiver, expr := object.Type(), p.Name()+"."+base
		if base != name {
			receiver, expr = types.NewPointer(receiver), "(*"+expr+")"
		}
		methods := types.NewMethodSet(receiver)
		for i := range methods.Len() {
			if m, ok := methods.At(i).Obj().(*types.Func); ok && m.Exported() {
				all = append(all, exposed{expr + "." + m.Name(), ir.ToolName(p.Name()+"_"+base+"_"+m.Name(), ir.Snake), s.ignore(m)})
			}
		}
	}
	return p.Name(), all
}

// ignore returns which result is the ignored one, counted from 1.
func (s subject) ignore(f *types.Func) int {
	results := f.Signature().Results()
	for i := range results.Len() {
		if s.ignored != "" && types.TypeString(results.At(i).Type(), types.RelativeTo(f.Pkg())) == s.ignored {
			return i + 1
		}
	}
	return 0
}

// source prints the annotated package. It returns the line of each function.
func (s subject) source(pkg string, all []exposed) (text string, lines map[int]exposed) {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %s exposes %s.\npackage %s\n\nimport (\n", s.name, s.path, s.name)
	for _, path := range s.imports {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	fmt.Fprintf(&b, "\t%s %q\n)\n\n%s", pkg, s.path, s.provider)
	lines = map[int]exposed{}
	for _, e := range all {
		b.WriteString("\n//mcp:tool name=" + e.tool + "\n")
		if e.ignore > 0 {
			fmt.Fprintf(&b, "//mcp:result %d ignore\n", e.ignore)
		}
		b.WriteString("var _ = " + e.expr + "\n")
		lines[strings.Count(b.String(), "\n")] = e
	}
	return b.String(), lines
}
