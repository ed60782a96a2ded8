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

// BundleSchema is the JSON Schema of manifest.json, manifest version 0.3.
//
//go:embed schemas/bundle-manifest.schema.json
var BundleSchema []byte

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
	Packaging
}

// Package fills the holes of deps.go.
type Package struct {
	Path, Name string   // of the import
	Alias      bool     // Name is not the package's own
	Type       string   // of the dependencies
	Fields     []string // "Clock: needed by (Clock).Unix", one line each
}

// Packaging fills the holes of the files that ship the server.
type Packaging struct {
	Slug         string // of the server: a DNS label
	ImportPath   string // of the output
	RegistryName string // ^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$
	Image        string // OCI repository
	Release      string // semantic version
	Repository   string // https address, may be empty
	Settings     []Setting
}

// Setting is an environment variable: ^[A-Za-z0-9_]+$.
type Setting struct {
	Name     string
	Required bool
}

// Execute returns the file name, "main.go", made from its template.
func Execute(name string, data Data) ([]byte, error) {
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, name+".tmpl", data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
