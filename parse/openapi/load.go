package openapi

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// Load reads the document at source: a file, a folder that holds one document,
// or a URL. What is damaged is repaired with a warning; an operation that cannot
// be is skipped; only what stops everything is an error, and then Load returns
// nil. All of it goes to diags.
func Load(ctx context.Context, source string, opts Options, diags *diag.List) *Document {
	f := newFiles(ctx, opts, diags)
	root, err := f.root(source)
	if err != nil {
		diags.Error(err.Pos, err.Code, err.Hint, "%s", err.Message)
		return nil
	}
	if !f.overlay(root) {
		return nil
	}
	version, err := checkRoot(root.Root)
	if err != nil {
		diags.Error(err.Pos, err.Code, err.Hint, "%s", err.Message)
		return nil
	}
	d := &Document{
		Source:   baseName(root.Location),
		Location: root.Location,
		Version:  version,
		root:     root,
		refs:     newResolver(f, root),
	}
	choice := newSelection(opts)
	n := newNormalizer(d, choice, diags)
	if err := n.document(root.Root); err != nil {
		diags.Error(err.Pos, err.Code, err.Hint, "%s", err.Message)
		return nil
	}
	if !opts.OtherVersion && !choice.report(diags) {
		return nil
	}
	d.excluded = choice.excluded
	return d
}

func baseName(location string) string {
	if isRemote(location) {
		location, _, _ = strings.Cut(location, "?")
		return path.Base(location)
	}
	return filepath.Base(location)
}

// checkRoot returns the version of a document that we can read.
func checkRoot(root *node.Node) (string, *schema.Error) {
	const hint = "an OpenAPI document is a mapping with openapi (or swagger), info and paths"
	if !root.IsMap() {
		return "", fault(root.Pos(), "no-document", hint, "the document is a %s", root.Kind)
	}
	for _, want := range []string{"openapi", "swagger", "paths", "info", "components"} {
		for key := range root.Pairs() {
			if key.Value != want && strings.EqualFold(key.Value, want) && !root.Has(want) {
				return "", fault(key.Pos(), "wrong-case-key", "write it as "+want, "key %q is written in the wrong case", key.Value)
			}
		}
	}
	field := root.Get("openapi")
	if field == nil {
		field = root.Get("swagger")
	}
	if other := root.Key("asyncapi"); field == nil && other != nil {
		return "", fault(other.Pos(), "unsupported-version", "AsyncAPI describes messages, not the operations of an HTTP API; "+hint,
			"the document is an AsyncAPI document, which is not supported")
	}
	if field == nil {
		return "", fault(root.Pos(), "no-version", `add a line "openapi: 3.0.3", or the version the document is written in`,
			"the document does not say which version of OpenAPI it is")
	}
	version := field.Text()
	if root.Get("openapi") != nil && hasVersion(version, "3.0", "3.1", "3.2") ||
		root.Get("openapi") == nil && hasVersion(version, "2.0", "2") {
		return version, nil
	}
	return "", fault(field.Pos(), "unsupported-version", "Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be read",
		"version %q is not supported", version)
}

func hasVersion(version string, known ...string) bool {
	for _, k := range known {
		if version == k || strings.HasPrefix(version, k+".") || strings.HasPrefix(version, k+"-") {
			return true
		}
	}
	return false
}

// Skip takes an operation out of the document because of err: it joins the
// skips, with a diagnostic that names the operation, its pointer and the reason.
func (d *Document) Skip(o *Operation, err error, diags *diag.List) {
	d.skip("operation "+o.Label(), o.What(), o, err, diags)
}

// skip is Skip for what is called name in messages and what in the list.
func (d *Document) skip(name, what string, o *Operation, err error, diags *diag.List) {
	pos, code, hint := o.Pos, "operation-skipped", ""
	var e *schema.Error
	if errors.As(err, &e) {
		code, hint = e.Code, e.Hint
		if e.Pos.File != "" {
			pos = e.Pos
		}
	}
	d.Skips = append(d.Skips, ir.Skip{What: what, Code: code, Reason: err.Error(), Pos: pos})
	diags.Add(diag.Diagnostic{
		Pos: pos, Severity: diag.Skip, Code: code, Hint: hint,
		Message: name + " (" + o.Pointer + "): " + err.Error(),
	})
}
