// Package templates holds the files of the output whose shape is fixed: a few
// holes, no logic. What varies with the model is printed by package gen.
//
// go.mod.tmpl and go.sum.tmpl are made by a test of package gen from what the
// runtime imports and the versions of the root go.mod:
//
//	go test ./gen -run TestModuleTemplates -update
package templates

import (
	"bytes"
	"embed"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

var parsed = template.Must(template.New("").Option("missingkey=error").ParseFS(files, "*.tmpl"))

// Data fills the holes. Every value stands in the output as it is, so it must
// be harmless there.
type Data struct {
	Name    string // of the server: ^[A-Za-z0-9_-]+$
	Title   string // one line of Markdown
	Runtime string // import path
	Module  string // module path
	API     bool   // some tool sends requests
	Package Package
}

// Package fills the holes of deps.go.
type Package struct {
	Path, Name string   // of the import
	Alias      bool     // Name is not the package's own
	Type       string   // of the dependencies
	Fields     []string // "Clock: needed by (Clock).Unix", one line each
}

// Execute returns the file name, "main.go", made from its template.
func Execute(name string, data Data) ([]byte, error) {
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, name+".tmpl", data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
