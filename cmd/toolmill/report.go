package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// report is what a run found and did: the object that -json prints.
type report struct {
	Status      string            `json:"status"` // "done", "failed", "stale", "dry-run"
	Name        string            `json:"name,omitempty"`
	Title       string            `json:"title,omitempty"`
	Version     string            `json:"version,omitempty"` // of the document
	Source      string            `json:"source,omitempty"`
	Operations  int               `json:"operations"` // in the document: tools and skips
	Tokens      int               `json:"tokens"`     // of all tools, approximate
	Tools       []toolReport      `json:"tools"`
	Skips       []skipReport      `json:"skips"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"`
	Output      string            `json:"output,omitempty"`
	Files       *filesReport      `json:"files,omitempty"`
}

type toolReport struct {
	Name   string      `json:"name"`
	Group  string      `json:"group"`
	Method string      `json:"method"`
	Path   string      `json:"path"`
	Hints  hintsReport `json:"hints"`
	Tokens int         `json:"tokens"` // approximate
	Bytes  int         `json:"bytes"`  // of the compact object in tools/list
}

type hintsReport struct {
	ReadOnly    bool `json:"readOnly"`
	Destructive bool `json:"destructive"`
	Idempotent  bool `json:"idempotent"`
	OpenWorld   bool `json:"openWorld"`
}

type skipReport struct {
	What   string `json:"what"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
	diag.Pos
}

// filesReport lists paths in the output folder, sorted.
type filesReport struct {
	Written   []string `json:"written"`
	Removed   []string `json:"removed"`
	Unchanged []string `json:"unchanged"`
}

// reportFields documents report for people; a test holds the two together.
const reportFields = `-json prints one object on standard output:

	status       done, failed, stale or dry-run
	name         of the server; title, version and source are the document's
	operations   in the document: one for each of tools and skips
	tokens       of all tools, approximate
	tools        name, group, method, path, hints, tokens, bytes of each
	skips        what, code, reason, file, line, col of each operation left out
	diagnostics  file, line, col, severity, code, message, hint of each
	output       the folder (generate)
	files        written, removed and unchanged paths in it (generate)`

// fill takes what the model has.
func (r *report) fill(s *ir.Server) {
	r.Name, r.Title, r.Version, r.Source = s.Name, s.Title, s.Version, s.Source
	r.Operations = s.Found
	for _, g := range s.Groups {
		for _, t := range g.Tools {
			object := t.AppendJSON(nil)
			r.Tools = append(r.Tools, toolReport{
				Name: t.Name, Group: g.Name, Method: t.Request.Method, Path: t.Request.Path,
				Hints: hintsReport(t.Hints), Tokens: ir.Tokens(object), Bytes: len(object),
			})
			r.Tokens += ir.Tokens(object)
		}
	}
	slices.SortFunc(r.Tools, func(a, b toolReport) int { return cmp.Compare(a.Name, b.Name) })
	for _, k := range s.Skips {
		r.Skips = append(r.Skips, skipReport{k.What, k.Code, k.Reason, k.Pos})
	}
}

// print writes the object; lists are never null.
func (r *report) print(w io.Writer) error {
	c := *r
	c.Tools = append([]toolReport{}, c.Tools...)
	c.Skips = append([]skipReport{}, c.Skips...)
	c.Diagnostics = append([]diag.Diagnostic{}, c.Diagnostics...)
	if c.Files != nil {
		f := *c.Files
		f.Written = append([]string{}, f.Written...)
		f.Removed = append([]string{}, f.Removed...)
		f.Unchanged = append([]string{}, f.Unchanged...)
		c.Files = &f
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&c)
}

// summary says in a few lines what print says in full.
func (r *report) summary(w io.Writer) {
	fmt.Fprintf(w, "%s: %s from %s, about %s tokens in all\n",
		r.Name, count(len(r.Tools), "tool"), r.Source, thousands(r.Tokens))
	if len(r.Skips) > 0 {
		fmt.Fprintf(w, "skipped %d of %s: %s\n", len(r.Skips), count(r.Operations, "operation"), r.skipReasons())
	}
	warnings := 0
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Warning {
			warnings++
		}
	}
	if warnings > 0 {
		fmt.Fprintln(w, count(warnings, "warning"))
	}
}

// skipReasons gives "3 dangling-ref, 1 bad-path", most first.
func (r *report) skipReasons() string {
	type reason struct {
		code string
		n    int
	}
	var reasons []reason
	for _, s := range r.Skips {
		i := slices.IndexFunc(reasons, func(r reason) bool { return r.code == s.Code })
		if i < 0 {
			i = len(reasons)
			reasons = append(reasons, reason{code: s.Code})
		}
		reasons[i].n++
	}
	slices.SortStableFunc(reasons, func(a, b reason) int { return cmp.Compare(b.n, a.n) })
	var words []string
	for _, r := range reasons {
		words = append(words, fmt.Sprintf("%d %s", r.n, r.code))
	}
	return strings.Join(words, ", ")
}

// maxAlike is how many warnings or skips of one code are printed; a document
// that has one mistake a thousand times would hide all others.
const maxAlike = 10

// printDiagnostics writes the diagnostics in order. Errors are all printed;
// of the others that are alike, the first and how many more.
func printDiagnostics(w io.Writer, all []diag.Diagnostic, withoutSkips bool) {
	type kind struct {
		severity diag.Severity
		code     string
	}
	seen := make(map[kind]int)
	var cut []kind
	for _, d := range all {
		if withoutSkips && d.Severity == diag.Skip {
			continue
		}
		k := kind{d.Severity, d.Code}
		seen[k]++
		switch {
		case d.Severity == diag.Error || seen[k] <= maxAlike:
			fmt.Fprintln(w, d)
		case seen[k] == maxAlike+1:
			cut = append(cut, k)
		}
	}
	for _, k := range cut {
		fmt.Fprintf(w, "%s: %d more like these; -json lists all [%s]\n", k.severity, seen[k]-maxAlike, k.code)
	}
}

// count gives "1 tool", "2 tools".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

// thousands writes n with a comma before every third digit.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
