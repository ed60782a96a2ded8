package openapi

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// TestLoadCorpus loads real documents: every operation is found, none is
// skipped, nothing needs a repair beyond the codes given, and every reference of
// a schema leads somewhere.
func TestLoadCorpus(t *testing.T) {
	corpus := shared(t, "corpus")
	for _, test := range []struct {
		file                 string
		operations, webhooks int
		warning              string
	}{
		{"asana/asana.yaml", 152, 0, ""},
		{"discord/openapi.json", 242, 0, ""},
		{"docker-engine/swagger.yaml", 108, 0, ""},
		{"docusign/docusignv3.1.json", 402, 0, ""},
		{"github/api.github.com.json", 1223, 270, ""},
		{"googlemaps/specification", 17, 0, ""},
		{"kubernetes/k8s.json", 853, 0, ""},
		{"petstore2/petstorev2.json", 20, 0, ""},
		{"petstore3/petstorev3.json", 19, 0, ""},
		{"rclone/openapi.yaml", 101, 0, ""},
		{"readme-examples/parameters-style.yaml", 25, 0, ""},
		{"redocly-cafe/cafe.yaml", 12, 1, "ignored-sibling"},
		{"redocly-cafe/cafe-split", 12, 1, "ignored-sibling"},
		{"scalar-galaxy/3.1.yaml", 9, 1, ""},
		{"slack/slack_web_openapi_v2.json", 174, 0, ""},
		{"stripe/stripe.yaml", 494, 0, ""},
		{"vault/openapi.json", 1049, 0, ""},
	} {
		t.Run(test.file, func(t *testing.T) {
			var diags diag.List
			d := Load(context.Background(), filepath.Join(corpus, test.file), Options{}, &diags)
			for _, found := range diags.All() {
				if found.Severity != diag.Warning || found.Code != test.warning {
					t.Error(found)
				}
			}
			if d == nil {
				return
			}
			if len(d.Operations) != test.operations || len(d.Skips) != 0 || d.Webhooks != test.webhooks {
				t.Errorf("%d operations, %d skips, %d webhooks; want %d, 0, %d",
					len(d.Operations), len(d.Skips), d.Webhooks, test.operations, test.webhooks)
			}
			seen := map[*node.Node]bool{}
			var follow func(*node.Node)
			follow = func(n *node.Node) {
				walk(n, seen, func(n *node.Node) {
					if ref := link(n); ref != nil {
						target, err := d.Resolve(ref)
						if err != nil {
							t.Errorf("%s: %v", ref.Pos(), err)
						}
						follow(target)
					}
				})
			}
			for _, o := range d.Operations {
				for _, p := range o.Params {
					follow(p.Schema)
				}
				for _, r := range o.Responses {
					for _, m := range r.Media {
						follow(m.Schema)
					}
				}
				if o.Body != nil {
					for _, m := range o.Body.Media {
						follow(m.Schema)
					}
				}
			}
		})
	}
}

// TestLoadAgreesWithKin compares documents that kin-openapi loads by itself: the
// same operations with the same parameters, bodies and responses.
func TestLoadAgreesWithKin(t *testing.T) {
	corpus := shared(t, "corpus")
	for _, file := range []string{
		"asana/asana.yaml", "discord/openapi.json", "petstore3/petstorev3.json", "rclone/openapi.yaml",
		"readme-examples/parameters-style.yaml", "vault/openapi.json",
	} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join(corpus, file)
			want, err := openapi3.NewLoader().LoadFromFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var diags diag.List
			d := Load(context.Background(), path, Options{}, &diags)
			if d == nil {
				t.Fatal(diags.All())
			}
			total := 0
			for _, item := range want.Paths.Map() {
				total += len(item.Operations())
			}
			if total != len(d.Operations) {
				t.Errorf("%d operations, kin-openapi has %d", len(d.Operations), total)
			}
			for _, o := range d.Operations {
				item := want.Paths.Value(o.Path)
				op := item.Operations()[o.Method]
				if got, want := kinOutline(o.Kin, nil), kinOutline(op, item.Parameters); got != want {
					t.Errorf("%s:\ngot  %s\nwant %s", o.Label(), got, want)
				}
			}
		})
	}
}

// kinOutline is the structure of an operation without its schemas, parameters
// sorted.
func kinOutline(op *openapi3.Operation, shared openapi3.Parameters) string {
	var b strings.Builder
	fmt.Fprint(&b, op.OperationID, op.Tags, op.Deprecated, op.Security)
	params := append(openapi3.Parameters{}, op.Parameters...)
	for _, p := range shared {
		if params.GetByInAndName(p.Value.In, p.Value.Name) == nil {
			params = append(params, p)
		}
	}
	var lines []string
	for _, p := range params {
		v := p.Value
		sm, err := v.SerializationMethod()
		lines = append(lines, fmt.Sprint(v.In, v.Name, sm.Style, sm.Explode, err, v.Required, v.AllowReserved, v.Schema != nil, len(v.Content)))
	}
	slices.Sort(lines)
	fmt.Fprint(&b, lines)
	if op.RequestBody != nil {
		fmt.Fprint(&b, " body", op.RequestBody.Value.Required)
		for _, name := range slices.Sorted(maps.Keys(op.RequestBody.Value.Content)) {
			fmt.Fprint(&b, " ", name, op.RequestBody.Value.Content[name].Schema != nil, len(op.RequestBody.Value.Content[name].Encoding))
		}
	}
	for _, status := range op.Responses.Keys() {
		fmt.Fprint(&b, " ", status, slices.Sorted(maps.Keys(op.Responses.Value(status).Value.Content)))
	}
	return b.String()
}

// BenchmarkLoadGitHub loads a document of 13 MB and reports how long that takes
// compared with kin-openapi alone in the same run, and the memory that stays.
func BenchmarkLoadGitHub(b *testing.B) {
	path := filepath.Join(shared(b, "corpus"), "github/api.github.com.json")
	var ours, kin time.Duration
	var live uint64
	for b.Loop() {
		runtime.GC()
		start := time.Now()
		var diags diag.List
		d := Load(context.Background(), path, Options{}, &diags)
		ours += time.Since(start)
		if d == nil {
			b.Fatal(diags.All())
		}
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		live = stats.HeapAlloc
		runtime.KeepAlive(d)

		d = nil
		runtime.GC()
		start = time.Now()
		if _, err := openapi3.NewLoader().LoadFromFile(path); err != nil {
			b.Fatal(err)
		}
		kin += time.Since(start)
	}
	b.ReportMetric(ours.Seconds()/kin.Seconds(), "x-kin")
	b.ReportMetric(ours.Seconds()*1000/float64(b.N), "load-ms")
	b.ReportMetric(kin.Seconds()*1000/float64(b.N), "kin-ms")
	b.ReportMetric(float64(live)/(1<<20), "live-MB")
}
