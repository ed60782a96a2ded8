package openapi

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

var updateLoad = flag.Bool("update-load", false, "rewrite the want sections of testdata/load")

// TestLoad runs the archives of testdata/load. Each holds a document, the first
// file, and under "want" what is read of it and the diagnostics.
func TestLoad(t *testing.T) {
	archives, err := filepath.Glob("testdata/load/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if path, err = filepath.Abs(path); err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			var want string
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				write(t, f.Name, string(f.Data))
			}
			got := loadDump(archive.Files[0].Name, Options{})
			if again := loadDump(archive.Files[0].Name, Options{}); again != got {
				t.Errorf("a second load differs:\n%s", cmp.Diff(got, again))
			}
			if *updateLoad {
				archive.Files = append(archive.Files[:len(archive.Files)-1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func write(t *testing.T, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func loadDump(source string, opts Options) string {
	var diags diag.List
	d := Load(context.Background(), source, opts, &diags)
	var b strings.Builder
	if d != nil {
		dump(&b, d)
	} else {
		b.WriteString("no document\n")
	}
	b.WriteString("\n")
	_ = diags.Print(&b)
	return b.String()
}

// dump writes what a document holds, schemas as they stand, and where each
// reference in them leads.
func dump(b *strings.Builder, d *Document) {
	line := func(name string, n *node.Node) {
		if n != nil {
			fmt.Fprintf(b, "%s %s\n", name, node.AppendJSON(nil, n))
		}
	}
	fmt.Fprintf(b, "version %s\n", d.Version)
	line("info", d.Info)
	line("servers", d.Servers)
	line("security", d.Security)
	line("tags", d.Tags)
	for _, s := range d.SecuritySchemes {
		line("scheme "+s.Name, s.Node)
	}
	if d.Webhooks > 0 {
		fmt.Fprintf(b, "webhooks %d\n", d.Webhooks)
	}
	r := refDump{doc: d, seen: map[*node.Node]bool{}}
	for _, o := range d.Operations {
		fmt.Fprintf(b, "%s: %s %s at %s\n", o.Label(), o.Method, o.Template, o.Pos)
		for _, key := range []string{"summary", "description", "tags", "deprecated"} {
			line("\t"+key, o.Node.Get(key))
		}
		for i, p := range o.Params {
			if o.Kin.Parameters[i].Value != p.Kin {
				fmt.Fprintln(b, "\tparameters out of step")
			}
			dumpParam(b, d, p)
			r.add(p.Schema)
		}
		if o.Body != nil {
			required := ""
			if o.Body.Required {
				required = " required"
			}
			fmt.Fprintf(b, "\tbody%s\n", required)
			dumpMedia(b, &r, o.Body.Media)
		}
		for _, resp := range o.Responses {
			fmt.Fprintf(b, "\t%s %q\n", resp.Status, resp.Node.Get("description").Text())
			dumpMedia(b, &r, resp.Media)
		}
		line("\tservers", o.Servers)
		line("\tsecurity", o.Security)
	}
	for _, s := range d.Skips {
		fmt.Fprintf(b, "skip %s [%s] %s\n", s.What, s.Code, s.Pos)
	}
	b.WriteString(r.out.String())
}

func dumpParam(b *strings.Builder, d *Document, p *Param) {
	fmt.Fprintf(b, "\t%s in %s", p.Kin.Name, p.Kin.In)
	if p.Kin.Required {
		b.WriteString(" required")
	}
	if sm, err := p.Kin.SerializationMethod(); err == nil && (p.Kin.Style != "" || p.Kin.Explode != nil) {
		fmt.Fprintf(b, " %s explode=%v", sm.Style, sm.Explode)
	}
	if p.Kin.AllowReserved {
		b.WriteString(" reserved")
	}
	if p.ContentType != "" {
		b.WriteString(" " + p.ContentType)
	}
	if p.Kin.Description != "" {
		fmt.Fprintf(b, " %q", p.Kin.Description)
	}
	fmt.Fprintf(b, " %s\n", node.AppendJSON(nil, p.Schema))
	if p.Kin.Schema != nil && d.Schema(p.Kin.Schema) != p.Schema {
		b.WriteString("\t\tthe typed schema leads elsewhere\n")
	}
}

func dumpMedia(b *strings.Builder, r *refDump, media []Media) {
	for _, m := range media {
		fmt.Fprintf(b, "\t\t%s", m.Type)
		for _, part := range []struct {
			name string
			n    *node.Node
		}{{"", m.Schema}, {"items ", m.ItemSchema}, {"encoding ", m.Encoding}} {
			if part.n != nil {
				fmt.Fprintf(b, " %s%s", part.name, node.AppendJSON(nil, part.n))
				r.add(part.n)
			}
		}
		b.WriteString("\n")
	}
}

// refDump follows the references of schemas.
type refDump struct {
	doc  *Document
	seen map[*node.Node]bool
	out  strings.Builder
}

func (r *refDump) add(n *node.Node) {
	if n == nil || r.seen[n] {
		return
	}
	r.seen[n] = true
	for k, v := range n.Pairs() {
		switch k.Value {
		case "$ref", "$dynamicRef", "$recursiveRef":
			target, err := r.doc.Resolve(v)
			if err != nil {
				fmt.Fprintf(&r.out, "%s: %s is wrong: %v\n", v.Pos(), v.Text(), err)
				continue
			}
			fmt.Fprintf(&r.out, "%s: %s is at %s\n", v.Pos(), v.Text(), target.Pos())
			r.add(target)
		default:
			r.add(v)
		}
	}
	for _, v := range n.List() {
		r.add(v)
	}
}
