package openapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

func TestAbsolute(t *testing.T) {
	tests := []struct{ location, url, want string }{
		{"/home/me/api.yaml", "https://api.test/v1", "https://api.test/v1"},
		{"/home/me/api.yaml", "/api/v3/", "/api/v3/"},
		{"/home/me/api.yaml", "v3", "/v3"},
		{"/home/me/api.yaml", "", "/"},
		{"/home/me/api.yaml", "//api.test/v1", "https://api.test/v1"},
		{"/home/me/api.yaml", "{scheme}://{host}/x", "{scheme}://{host}/x"},
		{"https://host.test:8443/spec/openapi.yaml", "/api/v3/", "https://host.test:8443/api/v3/"},
		{"https://host.test/spec/openapi.yaml", "v3/", "https://host.test/spec/v3/"},
		{"https://host.test/spec/openapi.yaml", "../v3", "https://host.test/v3"},
		{"https://host.test/spec/openapi.yaml", "./{version}", "https://host.test/spec/{version}"},
		{"https://host.test/openapi.yaml", "", "https://host.test/"},
		{"http://host.test/openapi.yaml", "//api.test/v1", "http://api.test/v1"},
		{`C:\spec\api.yaml`, "/v1", "/v1"},
	}
	for _, tt := range tests {
		b := &builder{doc: &Document{Location: tt.location}}
		if got := b.absolute(tt.url); got != tt.want {
			t.Errorf("%s at %s: %s, want %s", tt.url, tt.location, got, tt.want)
		}
	}
}

func TestUpstreams(t *testing.T) {
	s, diags := mustParse(t, head+`
paths:
  /files:
    servers: [{url: https://files.test}]
    get: {operationId: listFiles, responses: {'200': {description: ok}}}
    post:
      operationId: upload
      servers: [{url: https://upload.test/up}]
      responses: {'201': {description: made}}
  /users:
    servers: []
    get: {operationId: listUsers, responses: {'200': {description: ok}}}
`, Options{})
	for name, want := range map[string]string{"listFiles": "upstream https://files.test\n", "upload": "upstream https://upload.test/up\n", "listUsers": ""} {
		_, got, _ := strings.Cut(show(tool(t, s, name).Request), "\n")
		if got != want {
			t.Errorf("P89: %s has %q, want %q", name, got, want)
		}
	}
	if out := codes(diags); out != "" {
		t.Error(out)
	}
}

func TestServerVariables(t *testing.T) {
	s, diags := mustParse(t, `
openapi: 3.0.3
info: {title: T, version: '1'}
servers:
  - {url: 'https://{tenant}.api.test:{port}/{base}/{lost}', variables: {tenant: {default: demo, description: Yours.}, unused: {default: x}, port: {default: '8443', enum: ['8443', '443']}, base: {default: v2}}}
  - {url: 'https://backup.test'}
paths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}
`, Options{})
	if len(s.Upstreams) != 2 || s.Upstreams[1].URL != "https://backup.test" {
		t.Fatalf("P90: %+v", s.Upstreams)
	}
	want := []ir.Variable{
		{Name: "tenant", Default: "demo", Description: "Yours."},
		{Name: "port", Default: "8443", Enum: []string{"8443", "443"}},
		{Name: "base", Default: "v2"},
		{Name: "lost"},
	}
	got := s.Upstreams[0].Variables
	for i := range want {
		if i >= len(got) || got[i].Name != want[i].Name || got[i].Default != want[i].Default || got[i].Description != want[i].Description || strings.Join(got[i].Enum, ",") != strings.Join(want[i].Enum, ",") {
			t.Fatalf("P90: variables %+v, want %+v", got, want)
		}
	}
	if out := codes(diags); !strings.HasPrefix(out, "undeclared-server-variable: ") || strings.Count(out, "\n") != 1 {
		t.Errorf("P90: %s", out)
	}
}

func TestSharedVariables(t *testing.T) {
	for _, test := range []struct{ name, servers, want string }{
		{"two of one server", `
  - url: https://{a.b}.{a-b}.test
    variables: {a.b: {default: x}, a-b: {default: y}}`,
			"6:36: warning: server variables \"a.b\" and \"a-b\" are both set by SERVER_A_B [variable-clash]"},
		{"of two servers, told once", `
  - url: https://{a}.test
    variables: {a: {default: x}}
  - url: https://{A}.test
    variables: {A: {default: x}}
  - url: https://{A}.other.test
    variables: {A: {default: x}}`,
			"8:17: warning: server variables \"a\" and \"A\" are both set by SERVER_A [variable-clash]"},
		{"the same of two servers", `
  - url: https://{a}.test
    variables: {a: {default: x}}
  - url: https://{a}.other.test
    variables: {a: {default: x}}`, ""},
		{"not used", `
  - url: https://{a}.test
    variables: {a: {default: x}, A: {default: x}}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, diags := mustParse(t, "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\nservers:"+test.servers+"\n", Options{})
			got := ""
			for _, d := range diags.All() {
				_, at, _ := strings.Cut(d.String(), ".yaml:")
				got += at
			}
			if got, hint, _ := strings.Cut(got, "\n"); got != test.want || strings.Contains(hint, "-var") != (test.want != "") {
				t.Errorf("got\n%s\n%s\nwant\n%s", got, hint, test.want)
			}
		})
	}
}

func TestServersWithoutAddress(t *testing.T) {
	const paths = "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}\n"
	tests := []struct{ name, document, upstream, diags string }{
		{"P88: relative", "openapi: 3.0.3\ninfo: {title: T, version: '1'}\nservers: [{url: /api/v3/}]\n" + paths, "/api/v3/", `relative-server: server "/api/v3/"`},
		{"P137: no host", "swagger: '2.0'\ninfo: {title: T, version: '1'}\nbasePath: /api\n" + paths, "", "no-server: "},
		{"none", "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n" + paths, "", "no-server: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, tt.document, Options{})
			got := ""
			if len(s.Upstreams) > 0 {
				got = s.Upstreams[0].URL
			}
			if out := codes(diags); got != tt.upstream || !strings.Contains(out, tt.diags) || !strings.Contains(out, "BASE_URL") {
				t.Errorf("upstream %q, want %q; diagnostics\n%s", got, tt.upstream, out)
			}
		})
	}
}

func TestRemoteDocument(t *testing.T) {
	const paths = "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}\n"
	documents := map[string]string{
		"/spec/relative.yaml": "openapi: 3.0.3\ninfo: {title: T, version: '1'}\nservers: [{url: /api/v3/}]\n" + paths,
		"/docs/swagger.yaml":  "swagger: '2.0'\ninfo: {title: T, version: '1'}\nbasePath: /api\n" + paths,
		"/docs/none.yaml":     "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n" + paths,
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := w.Write([]byte(documents[r.URL.Path])); err != nil {
			t.Error(err)
		}
	}))
	defer web.Close()
	for path, want := range map[string]string{"/spec/relative.yaml": "/api/v3/", "/docs/swagger.yaml": "/api", "/docs/none.yaml": "/"} {
		var diags diag.List
		s := Parse(context.Background(), web.URL+path, Options{AllowRemote: true, Client: web.Client()}, &diags)
		if s == nil || len(s.Upstreams) != 1 || s.Upstreams[0].URL != web.URL+want {
			t.Errorf("%s: server %+v, want %s\n%s", path, s, web.URL+want, printed(&diags))
		}
	}
}
