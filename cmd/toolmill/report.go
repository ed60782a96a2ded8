package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// report is what a run found and did: the object that -json prints.
type report struct {
	Status      string            `json:"status"` // "done", "failed", "stale", "dry-run", "over-budget"
	Name        string            `json:"name,omitempty"`
	Title       string            `json:"title,omitempty"`
	Version     string            `json:"version,omitempty"` // of the document
	Source      string            `json:"source,omitempty"`
	Operations  int               `json:"operations"` // and functions found: tools and skips
	Excluded    int               `json:"excluded"`   // operations beside those, left out by choice
	Tokens      int               `json:"tokens"`     // of all tools, approximate
	Tools       []toolReport      `json:"tools"`
	Groups      []groupReport     `json:"groups"`
	Resources   []resourceReport  `json:"resources"`
	Prompts     []promptReport    `json:"prompts"`
	Diet        []diet.Cut        `json:"diet"`
	Skips       []skipReport      `json:"skips"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"`
	Output      string            `json:"output,omitempty"`
	Files       *filesReport      `json:"files,omitempty"`
	Lock        *lockReport       `json:"lock,omitempty"`
	Packages    []packageReport   `json:"packages"`

	document, functions bool // what kinds of source were read
}

// toolReport has either a method and path or a function and package.
type toolReport struct {
	Name       string      `json:"name"`
	Group      string      `json:"group"`
	Method     string      `json:"method,omitempty"`
	Path       string      `json:"path,omitempty"`
	Function   string      `json:"function,omitempty"`
	Package    string      `json:"package,omitempty"`
	Hints      hintsReport `json:"hints"`
	Confirm    bool        `json:"confirm,omitempty"` // people are asked before a call
	Deprecated bool        `json:"deprecated,omitempty"`
	Tokens     int         `json:"tokens"` // approximate
	Bytes      int         `json:"bytes"`  // of the compact object in tools/list

	words []string // the hints for people
}

// groupReport is a tag, or a Go package.
type groupReport struct {
	Name   string `json:"name"`
	Tools  int    `json:"tools"`
	Tokens int    `json:"tokens"` // approximate
}

type resourceReport struct {
	URI      string `json:"uri"`
	Name     string `json:"name"`
	MIME     string `json:"mimeType,omitempty"`
	Function string `json:"function"`
	Package  string `json:"package"`
}

type promptReport struct {
	Name      string   `json:"name"`
	Arguments []string `json:"arguments"`
	Function  string   `json:"function"`
	Package   string   `json:"package"`
}

// packageReport is what happened in the folder of an annotated package.
type packageReport struct {
	Dir  string `json:"dir"`
	Path string `json:"path,omitempty"`
	filesReport
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
	Edited    []string `json:"edited,omitempty"` // found by -check: no change of the source explains them
}

// reportFields documents report for people; a test holds the two together.
const reportFields = `-json prints one object on standard output:

	status       done, failed, stale, dry-run or over-budget
	name         of the server; title, version and source are the document's
	operations   and functions that were found: one for each of tools and skips
	excluded     operations beside those, left out by -include, -exclude or x-mcp
	tokens       of all tools, approximate
	tools        name, group, hints, tokens, bytes of each; method and path of an
	             operation, function and package of a function; confirm where
	             people are asked first, deprecated
	groups       name, tools, tokens of each tag and Go package
	resources    uri, name, mimeType, function, package of each
	prompts      name, arguments, function, package of each
	diet         step, tools, bytes of each step that made the list smaller
	skips        what, code, reason, file, line, col of each operation left out
	diagnostics  file, line, col, severity, code, message, hint of each
	output       the folder (generate)
	files        written, removed and unchanged paths in it; with -check those
	             edited, or written from another source (generate)
	lock         file, status (current, written, stale, outdated, missing), added,
	             removed and changed tools of the lock file, and what changed of
	             the server: addresses, credentials, instructions (generate)
	packages     dir and path of each Go package; written, removed and unchanged
	             paths in it (generate)`

// fill takes what the model has.
func (r *report) fill(s *ir.Server) {
	r.Name, r.Title, r.Version, r.Source = s.Name, s.Title, s.Version, s.Source
	r.Operations, r.Excluded = s.Found, s.Excluded
	for _, g := range s.Groups {
		group := groupReport{Name: g.Name, Tools: len(g.Tools)}
		for _, t := range g.Tools {
			object := t.AppendJSON(nil)
			tool := toolReport{Name: t.Name, Group: g.Name, Hints: hintsReport(t.Hints), Confirm: t.Confirm != nil && *t.Confirm,
				Deprecated: t.Deprecated, Tokens: ir.Tokens(object), Bytes: len(object), words: t.HintWords()}
			if t.Func != nil {
				tool.Function, tool.Package = t.Func.Doc, t.Func.Package
			} else {
				tool.Method, tool.Path = t.Request.Method, t.Request.Path
			}
			r.Tools = append(r.Tools, tool)
			group.Tokens += tool.Tokens
		}
		r.Groups = append(r.Groups, group)
		r.Tokens += group.Tokens
	}
	for _, p := range s.Packages {
		for _, res := range p.Resources {
			r.Resources = append(r.Resources, resourceReport{res.URI, res.Name, res.MIME, res.Func.Doc, p.ImportPath})
		}
		for _, pr := range p.Prompts {
			names := []string{}
			for _, a := range pr.Arguments {
				names = append(names, a.Name)
			}
			r.Prompts = append(r.Prompts, promptReport{pr.Name, names, pr.Func.Doc, p.ImportPath})
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
	c.Groups = append([]groupReport{}, c.Groups...)
	c.Diet = append([]diet.Cut{}, c.Diet...)
	c.Skips = append([]skipReport{}, c.Skips...)
	c.Diagnostics = append([]diag.Diagnostic{}, c.Diagnostics...)
	c.Resources = append([]resourceReport{}, c.Resources...)
	c.Prompts = append([]promptReport{}, c.Prompts...)
	if c.Files != nil {
		f := c.Files.filled()
		c.Files = &f
	}
	c.Packages = []packageReport{}
	for _, p := range r.Packages {
		p.filesReport = p.filled()
		c.Packages = append(c.Packages, p)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&c)
}

// filled has no null in place of an empty list.
func (f *filesReport) filled() filesReport {
	return filesReport{
		Written:   append([]string{}, f.Written...),
		Removed:   append([]string{}, f.Removed...),
		Unchanged: append([]string{}, f.Unchanged...),
		Edited:    f.Edited,
	}
}

// unit is what gives a tool.
func (r *report) unit() string {
	switch {
	case !r.functions:
		return "operation"
	case !r.document:
		return "function"
	}
	return "operation or function"
}

// summary says in a few lines what print says in full.
func (r *report) summary(w io.Writer) {
	offers := []string{count(len(r.Tools), "tool")}
	if n := len(r.Resources); n > 0 {
		offers = append(offers, count(n, "resource"))
	}
	if n := len(r.Prompts); n > 0 {
		offers = append(offers, count(n, "prompt"))
	}
	fmt.Fprintf(w, "%s: %s from %s, about %s tokens in all\n",
		r.Name, strings.Join(offers, ", "), r.Source, thousands(r.Tokens))
	if r.Excluded > 0 {
		fmt.Fprintf(w, "excluded %s of %s\n", thousands(r.Excluded), count(r.Operations+r.Excluded, r.unit()))
	}
	if len(r.Diet) > 0 {
		fmt.Fprintf(w, "diet: %s\n", r.dietText())
	}
	if len(r.Skips) > 0 {
		fmt.Fprintf(w, "skipped %d of %s: %s\n", len(r.Skips), count(r.Operations, r.unit()), r.skipReasons())
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

// dietText gives "brief 120 kB in 12 tools, examples 3 kB in 40 tools".
func (r *report) dietText() string {
	var words []string
	for _, c := range r.Diet {
		size := count(c.Bytes, "byte")
		if c.Bytes >= 10_000 {
			size = thousands(c.Bytes/1000) + " kB"
		}
		words = append(words, fmt.Sprintf("%s %s in %s", c.Step, size, count(c.Tools, "tool")))
	}
	return strings.Join(words, ", ")
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

// count gives "1 tool", "2 tools", "2 operations or functions".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + strings.ReplaceAll(what, " or ", "s or ") + "s"
}

// thousands writes n with a comma before every third digit.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
