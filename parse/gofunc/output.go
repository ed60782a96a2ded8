package gofunc

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// ownOutput returns the file that we wrote into a package, "" when there is
// none or a person wrote it.
func ownOutput(p *packages.Package) string {
	file := filepath.Join(filepath.Dir(p.GoFiles[0]), ir.RegisterFile)
	data, err := os.ReadFile(file)
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if err != nil || string(bytes.TrimRight(first, "\r")) != ir.GeneratedHeader {
		return ""
	}
	return file
}

// hide makes the go command act as if files were not there, until done is
// called. Our output is about to be written anew: whatever state it is in, it
// must not stop that. An overlay of package packages would do the same, but with
// one it distrusts all export data and checks every dependency from source.
func (l *loader) hide(files []string) (done func(), err error) {
	if len(files) == 0 {
		return func() {}, nil
	}
	replace := map[string]string{}
	for _, file := range files {
		replace[file] = "" // not there (go help build, -overlay)
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "toolmill-*.json")
	if err != nil {
		return nil, err
	}
	done = func() { os.Remove(f.Name()) }
	if _, err = f.Write(data); err == nil {
		err = f.Close()
	}
	if err != nil {
		done()
		return nil, err
	}
	l.config.BuildFlags = append(l.config.BuildFlags, "-overlay="+f.Name())
	return done, nil
}
