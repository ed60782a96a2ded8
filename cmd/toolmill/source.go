package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/seed7346ab69/toolmill/review"
)

// sources are what SOURCE names.
type sources struct {
	document string   // file, folder or address; empty: none
	packages []string // patterns, as the go command takes them
}

// sortSources tells documents from Go packages.
func sortSources(all []string) (*sources, error) {
	s := &sources{}
	var documents []string
	for _, source := range all {
		if source == "" {
			return nil, usage("a variable of the shell may be unset", "SOURCE is empty")
		}
		if isOutput(source) {
			return nil, &failure{exit: exitInput, code: "not-a-source", message: source + " holds what toolmill wrote, which is no source",
				hint: "give the document or the Go package that it is generated from; toolmill diff compares outputs too"}
		}
		if pattern := packagePattern(source); pattern != "" {
			s.packages = append(s.packages, pattern)
		} else {
			documents = append(documents, source)
		}
	}
	if len(documents) > 1 {
		missing := ""
		for _, name := range documents {
			if _, err := os.Stat(name); missing == "" && errors.Is(err, fs.ErrNotExist) && !strings.Contains(name, "://") {
				missing = "; there is no " + name
			}
		}
		return nil, usage("quote a name that holds spaces", "one document at most makes a server, got %d: %s%s",
			len(documents), strings.Join(documents, " "), missing)
	}
	if len(documents) == 1 {
		s.document = documents[0]
	}
	return s, nil
}

// packagePattern returns the pattern that the go command knows a package by, or
// nothing for a document. A folder can hold both, as where go generate is used: it
// is a package if it has a directive, or no document.
func packagePattern(source string) string {
	if strings.Contains(source, "://") {
		return ""
	}
	before, _, wild := strings.Cut(source, "...")
	info, err := os.Stat(filepath.FromSlash(before))
	switch {
	case wild && (err == nil || before == ""), err == nil && info.IsDir() && isPackage(source):
		return relative(source)
	case err == nil || isDocument(source) || !strings.Contains(source, "/") || isRelative(source):
		return ""
	case module.CheckImportPath(before) == nil || wild:
		return source
	}
	return ""
}

// relative writes a path so that the go command does not take it for an import
// path.
func relative(path string) string {
	if path = filepath.ToSlash(path); !isRelative(path) && !filepath.IsAbs(filepath.FromSlash(path)) {
		return "./" + path
	}
	return path
}

func isRelative(path string) bool {
	return path == "." || path == ".." || strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../")
}

// isDocument goes by the name.
func isDocument(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name)))
}

// directive begins every comment that toolmill reads.
const directive = "//mcp:"

// isPackage reports whether a folder is meant as a Go package.
func isPackage(dir string) bool {
	has := look(dir)
	return has.directive || has.goFile && !has.document
}

// isOutput reports whether a folder holds a server of ours and no source.
func isOutput(dir string) bool {
	has := look(dir)
	return has.goFile && !has.directive && !has.document && review.IsServer(os.DirFS(dir))
}

// contents are what a folder holds that can be a source.
type contents struct{ goFile, directive, document bool }

func look(dir string) contents {
	var has contents
	entries, err := os.ReadDir(dir)
	if err != nil {
		return has
	}
	for _, e := range entries {
		if has.document = has.document || isDocument(e.Name()); filepath.Ext(e.Name()) != ".go" {
			continue
		}
		has.goFile = true
		if data, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil && bytes.Contains(data, []byte(directive)) {
			has.directive = true
		}
	}
	return has
}
