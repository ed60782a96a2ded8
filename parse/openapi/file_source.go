package openapi

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// versionField finds the field that makes a file a root document, in YAML at the
// start of a line and in JSON anywhere.
var versionField = regexp.MustCompile(`(?m)^\s*\{?\s*['"]?(?:openapi|swagger)['"]?\s*:|"(?:openapi|swagger)"\s*:`)

// sourceFile returns the file that source means: itself, or the one document of
// a folder. Of several, the one with the usual name is meant.
func sourceFile(source string) (string, *schema.Error) {
	info, err := os.Stat(source)
	if err != nil {
		e := unreadable(source, err)
		e.Hint = "give the path of an OpenAPI document, of its folder or of a Go package, or with -allow-remote a URL"
		return "", e
	}
	if !info.IsDir() {
		return source, nil
	}
	entries, err := os.ReadDir(source) // sorted by name
	if err != nil {
		return "", unreadable(source, err)
	}
	var found, usual []string
	for _, entry := range entries {
		name := entry.Name()
		stem, ext := strings.TrimSuffix(name, filepath.Ext(name)), strings.ToLower(filepath.Ext(name))
		if ext != ".yaml" && ext != ".yml" && ext != ".json" || !isRootDocument(filepath.Join(source, name)) {
			continue
		}
		found = append(found, name)
		switch strings.ToLower(stem) {
		case "openapi", "swagger", "index":
			usual = append(usual, name)
		}
	}
	switch {
	case len(found) == 1:
		return filepath.Join(source, found[0]), nil
	case len(usual) == 1:
		return filepath.Join(source, usual[0]), nil
	case len(found) == 0:
		return "", fault(diag.Pos{File: source}, codeUnreadable, "give the path of the document itself",
			"the folder holds no OpenAPI document")
	}
	return "", fault(diag.Pos{File: source}, "ambiguous-source", "give the path of one of them",
		"the folder holds several OpenAPI documents: %s", strings.Join(found, ", "))
}

// isRootDocument looks at the start of a file.
func isRootDocument(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	r, err := os.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(r, head) // a shorter file is fine
	return versionField.Match(head[:n])
}
