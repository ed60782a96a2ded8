package gofunc

import (
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// positions turns the positions of go/token into those of diagnostics.
type positions struct {
	fset *token.FileSet
	dir  string // absolute: what file names are made relative to
}

func (p positions) pos(at token.Pos) diag.Pos {
	if !at.IsValid() {
		return diag.Pos{}
	}
	pos := p.fset.Position(at)
	return diag.Pos{File: p.relative(pos.Filename), Line: pos.Line, Col: pos.Column}
}

// relative names a file or folder as a user would, who stands in dir.
func (p positions) relative(file string) string {
	rel, err := filepath.Rel(p.dir, file)
	if err != nil || !filepath.IsAbs(file) || strings.HasPrefix(rel, "../../") {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// parse reads a "file:line:col" of package packages; line and col may be
// missing.
func (p positions) parse(s string) diag.Pos {
	if s == "" || s == "-" {
		return diag.Pos{}
	}
	file, col := cutNumber(s)
	file, line := cutNumber(file)
	if line == 0 {
		line, col = col, 0
	}
	return diag.Pos{File: p.relative(file), Line: line, Col: col}
}

func cutNumber(s string) (string, int) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil {
		return s, 0
	}
	return s[:i], n
}
