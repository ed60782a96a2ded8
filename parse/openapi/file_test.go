package openapi

import (
	"compress/gzip"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

const minimal = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}\n"

// loadPrinted loads source and returns the diagnostics.
func loadPrinted(t *testing.T, source string, opts Options) (*Document, string) {
	t.Helper()
	var diags diag.List
	d := Load(context.Background(), source, opts, &diags)
	if (d == nil) != diags.HasErrors() {
		t.Errorf("document %v, errors %v", d != nil, diags.HasErrors())
	}
	var b strings.Builder
	_ = diags.Print(&b)
	return d, b.String()
}

func TestLoadRefuses(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"missing", "", "", "gone.yaml: error: there is no such file [unreadable-file]\n\thint: give the path of an OpenAPI document, of its folder or of a Go package, or with -allow-remote a URL\n"},
		{"empty", "a.yaml", " \n", "a.yaml:1:1: error: the file is empty [empty-file]\n\thint: write an OpenAPI document into it, or give the path of another\n"},
		{"only comments", "a.yaml", "# x\n", "a.yaml:1:1: error: the document is a null [no-document]\n\thint: an OpenAPI document is a mapping with openapi (or swagger), info and paths\n"},
		{"HTML", "a.json", "\n<!DOCTYPE html>\n<html>secret</html>", "a.json:1:1: error: the file holds HTML or XML [html-file]\n\thint: point to the raw document, not to a page that shows it\n"},
		{"list", "a.yaml", "- openapi: 3.0.3", "a.yaml:1:1: error: the document is a list [no-document]\n\thint: an OpenAPI document is a mapping with openapi (or swagger), info and paths\n"},
		{"scalar", "a.yaml", "just text", "a.yaml:1:1: error: the document is a string [no-document]\n\thint: an OpenAPI document is a mapping with openapi (or swagger), info and paths\n"},
		{"no version", "a.json", `{"info": {}, "paths": {}}`, "a.json:1:1: error: the document does not say which version of OpenAPI it is [no-version]\n\thint: add a line \"openapi: 3.0.3\", or the version the document is written in\n"},
		{"empty mapping", "a.json", `{}`, "a.json:1:1: error: the document does not say which version of OpenAPI it is [no-version]\n\thint: add a line \"openapi: 3.0.3\", or the version the document is written in\n"},
		{"version 4", "a.yaml", "info: {}\nopenapi: 4.0.0\n", "a.yaml:2:10: error: version \"4.0.0\" is not supported [unsupported-version]\n\thint: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be read\n"},
		{"version 1.2", "a.yaml", "swagger: '1.2'\n", "a.yaml:1:10: error: version \"1.2\" is not supported [unsupported-version]\n\thint: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be read\n"},
		{"swagger 3", "a.yaml", "swagger: 3.0.0\n", "a.yaml:1:10: error: version \"3.0.0\" is not supported [unsupported-version]\n\thint: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be read\n"},
		{"version is a list", "a.yaml", "openapi: [3.0.0]\n", "a.yaml:1:10: error: version \"\" is not supported [unsupported-version]\n\thint: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be read\n"},
		{"wrong case", "a.json", `{"OpenAPI": "3.0.3", "Paths": {}}`, "a.json:1:2: error: key \"OpenAPI\" is written in the wrong case [wrong-case-key]\n\thint: write it as openapi\n"},
		{"wrong case of paths", "a.yaml", "openapi: 3.0.3\nPaths: {}\n", "a.yaml:2:1: error: key \"Paths\" is written in the wrong case [wrong-case-key]\n\thint: write it as paths\n"},
		{"syntax", "a.yaml", "openapi: 3.0.3\n  x: [", "a.yaml:2:4: error: YAML: mapping values are not allowed in this context [syntax]\n\thint: correct the text here or above: look for indentation, a bracket or quote without its other half, and text with a colon or # that needs quotes\n"},
		{"duplicate key", "a.json", "{\"openapi\": \"3.0.3\",\n\"paths\": {},\n\"paths\": {}}", "a.json:3:1: error: key \"paths\" stands twice in one mapping: on line 2 and on line 3 [duplicate-key]\n\thint: remove one of them, or give it another name\n"},
		{"paths elsewhere", "a.yaml", "openapi: 3.0.3\npaths: {$ref: gone.yaml}", "a.yaml:2:15: error: $ref \"gone.yaml\": there is no such file [unreadable-ref]\n\thint: the path starts at the folder of a.yaml, where the $ref stands\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			source := "gone.yaml"
			if test.file != "" {
				source = test.file
				write(t, source, test.text)
			}
			if _, got := loadPrinted(t, source, Options{}); got != test.want {
				t.Errorf("got  %swant %s", got, test.want)
			}
		})
	}
}

func TestLoadTolerates(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"byte order mark", "\ufeff" + minimal, ""},
		{"carriage returns", strings.ReplaceAll(minimal, "\n", "\r\n"), ""},
		{"second document", minimal + "---\nx: 1\n", "a.yaml:5:1: warning: only the first YAML document of the file is read [second-document]\n"},
		{"no paths", "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n", ""},
		{"tabs in JSON", "{\n\t\"openapi\": \"3.0.3\",\n\t\"paths\": {}}", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "a.yaml", test.text)
			if d, got := loadPrinted(t, "a.yaml", Options{}); d == nil || got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestLoadFolder(t *testing.T) {
	for _, test := range []struct {
		name, files, want, diags string
	}{
		{"the only one", "readme.md other.json spec.yaml", "spec.yaml", ""},
		{"the usual name", "a.yaml openapi.yml", "openapi.yml", ""},
		{"index", "a.yaml index.yml", "index.yml", ""},
		{"none", "other.json", "", "api: error: the folder holds no OpenAPI document [unreadable-file]\n\thint: give the path of the document itself\n"},
		{"two", "a.yaml b.json", "", "api: error: the folder holds several OpenAPI documents: a.yaml, b.json [ambiguous-source]\n\thint: give the path of one of them\n"},
		{"two usual ones", "openapi.json openapi.yaml", "", "api: error: the folder holds several OpenAPI documents: openapi.json, openapi.yaml [ambiguous-source]\n\thint: give the path of one of them\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, name := range strings.Fields(test.files) {
				text := minimal
				switch {
				case name == "other.json":
					text = `{"description": "no openapi here"}`
				case strings.HasSuffix(name, ".json"):
					text = `{"info": {"title": "T"}, "paths": {}, "openapi": "3.0.3"}`
				}
				write(t, filepath.Join("api", name), text)
			}
			d, got := loadPrinted(t, "api", Options{})
			if got != test.diags {
				t.Errorf("got  %swant %s", got, test.diags)
			}
			if d != nil && d.Source != test.want {
				t.Errorf("read %s, want %s", d.Source, test.want)
			}
		})
	}
}

// TestRefPolicy tries to reach files that a document must not make us read.
func TestRefPolicy(t *testing.T) {
	const secret = "S: {type: string, description: outside}\n"
	doc := func(ref string) string {
		return strings.Replace(minimal, "responses", "parameters: [{name: q, in: query, description: {$ref: '"+ref+"'}}], responses", 1)
	}
	const outside = "it is outside the document's folder [ref-outside-folder]"
	for _, test := range []struct {
		name, ref string
		opts      Options
		want      string // part of the diagnostics; empty: it is read
	}{
		{"inside", "sub/in.yaml#/S/description", Options{}, ""},
		{"inside by absolute path", "DIR/api/sub/in.yaml#/S/description", Options{}, ""},
		{"inside by file URL", "file://DIR/api/sub/in.yaml#/S/description", Options{}, ""},
		{"link that stays inside", "link-in.yaml#/S/description", Options{}, ""},
		{"parent folder", "../secret.yaml#/S/description", Options{}, outside},
		{"parent folder, encoded", "%2e%2e/secret.yaml#/S/description", Options{}, outside},
		{"up and down", "sub/../../secret.yaml#/S/description", Options{}, outside},
		{"absolute", "DIR/secret.yaml#/S/description", Options{}, outside},
		{"file URL", "file:///etc/hostname", Options{}, outside},
		{"what does not exist, outside", "../none.yaml", Options{}, outside},
		{"sibling with the same prefix", "../api2/secret.yaml#/S/description", Options{}, outside},
		{"link out", "link-out.yaml#/S/description", Options{}, outside},
		{"folder link out", "folder/secret.yaml#/S/description", Options{}, outside},
		{"named pipe", "pipe", Options{}, "it is not a file"},
		{"allowed", "../secret.yaml#/S/description", Options{AllowRef: []string{"."}}, ""},
		{"allowed, absolute", "../secret.yaml#/S/description", Options{AllowRef: []string{"DIR"}}, ""},
		{"link into an allowed folder", "link-out.yaml#/S/description", Options{AllowRef: []string{"."}}, ""},
		{"another folder allowed", "../secret.yaml#/S/description", Options{AllowRef: []string{"api2"}}, outside},
		{"remote", "http://127.0.0.1:9/x.yaml#/S", Options{}, "the network is not allowed [remote-refused]"},
		{"remote in capitals", "HTTPS://127.0.0.1:9/x.yaml#/S", Options{}, "the network is not allowed [remote-refused]"},
		{"other scheme", "ftp://127.0.0.1:9/x.yaml#/S", Options{}, "[unreadable-ref]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			write(t, "api/openapi.yaml", doc(strings.ReplaceAll(test.ref, "DIR", dir)))
			write(t, "api/sub/in.yaml", secret)
			write(t, "secret.yaml", secret)
			write(t, "api2/secret.yaml", secret)
			for link, target := range map[string]string{
				"api/link-in.yaml": "sub/in.yaml", "api/link-out.yaml": "../secret.yaml", "api/folder": "..",
			} {
				if err := os.Symlink(target, link); err != nil {
					t.Fatal(err)
				}
			}
			if err := syscall.Mkfifo("api/pipe", 0o600); err != nil {
				t.Fatal(err)
			}
			for i, folder := range test.opts.AllowRef {
				test.opts.AllowRef[i] = strings.ReplaceAll(folder, "DIR", dir)
			}
			d, got := loadPrinted(t, "api/openapi.yaml", test.opts)
			if d == nil || len(d.Operations) != 1 {
				t.Fatal("no operation: " + got)
			}
			read := d.Operations[0].Params[0].Kin.Description == "outside"
			if read != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("read: %v, diagnostics: %s", read, got)
			}
			if !read && strings.Contains(got, "outside\n") {
				t.Errorf("the text of the file is told: %s", got)
			}
		})
	}
}

func TestRefErrorsTellNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "openapi.yaml", strings.Replace(minimal, "responses", "parameters: [{$ref: '.env'}, {$ref: 'key.pem#/x'}, {$ref: 'config.yaml#/databse'}], responses", 1))
	write(t, ".env", "PASSWORD: [hunter2\nTOKEN=abc123\n")
	write(t, "key.pem", "-----BEGIN KEY-----\nhunter2\n")
	write(t, "config.yaml", "database: hunter2\n")
	for _, ref := range []string{"'.env'", "'key.pem#/x'", "'config.yaml#/databse'"} {
		write(t, "openapi.yaml", strings.Replace(minimal, "responses", "parameters: [{$ref: "+ref+"}], responses", 1))
		_, got := loadPrinted(t, "openapi.yaml", Options{})
		if !strings.Contains(got, "skipped") {
			t.Errorf("%s: no skip: %s", ref, got)
		}
		for _, secret := range []string{"hunter2", "PASSWORD", "TOKEN", "abc123", "BEGIN", "database"} {
			if strings.Contains(got, secret) {
				t.Errorf("%s: the diagnostics hold %q: %s", ref, secret, got)
			}
		}
	}
}

func TestLoadThroughLink(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "real/openapi.yaml", minimal)
	write(t, "here/x", "")
	if err := os.Symlink("../real/openapi.yaml", "here/api.yaml"); err != nil {
		t.Fatal(err)
	}
	if d, got := loadPrinted(t, "here/api.yaml", Options{}); d == nil {
		t.Error(got)
	}
}

func TestLoadRemote(t *testing.T) {
	mux := http.NewServeMux()
	serve := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("User-Agent") != "toolmill" {
				t.Errorf("%s: User-Agent %q", path, r.Header.Get("User-Agent"))
			}
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				t.Errorf("%s: no compression asked for", path)
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte(text))
			_ = z.Close()
		})
	}
	serve("/my%20docs/openapi.yaml", "\ufeff"+strings.Replace(minimal, "responses: {'200': {description: ok}}", "parameters: [{$ref: 'p q.json#/q'}], responses: {'200': {$ref: /r.yaml}}", 1))
	serve("/my%20docs/p%20q.json", `{"q": {"name": "q", "in": "query", "schema": {"type": "string"}}}`)
	serve("/r.yaml", "description: far away\n")
	serve("/page", "<html></html>")
	serve("/swagger.yaml", "swagger: '2.0'\nbasePath: /api\npaths: {}\n")
	serve("/spy.yaml", "openapi: 3.0.3\npaths: {/a: {$ref: 'file:///etc/hostname'}, /b: {$ref: '/etc/hostname'}}\n")
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/my%20docs/openapi.yaml", http.StatusFound)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	secret := strings.Replace(server.URL, "http://", "http://me:hunter2@", 1)

	for _, test := range []struct{ name, source, want string }{
		{"spaces and references", server.URL + "/my docs/openapi.yaml", "far away"},
		{"encoded", server.URL + "/my%20docs/openapi.yaml", "far away"},
		{"moved", server.URL + "/moved", "far away"},
		{"not there", server.URL + "/none", "/none: error: it cannot be fetched: the server answered 404 Not Found [unreadable-file]\n\thint: see that the address answers, or save the file and give its path"},
		{"page", server.URL + "/page", "/page:1:1: error: the file holds HTML or XML [html-file]"},
		{"no server", "http://127.0.0.1:1/x", "http://127.0.0.1:1/x: error: it cannot be fetched: "},
		{"password", secret + "/none", "http://me:xxxxx@"},
		{"local files", server.URL + "/spy.yaml", "it is outside the document's folder [ref-outside-folder]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, got := loadPrinted(t, test.source, Options{AllowRemote: true})
			if d != nil && len(d.Operations) == 1 {
				got += *d.Operations[0].Kin.Responses.Value("200").Value.Description
			}
			if !strings.Contains(got, test.want) || strings.Contains(got, "hunter2") {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
	if _, got := loadPrinted(t, server.URL+"/page", Options{}); !strings.Contains(got, "error: the network is not allowed [remote-refused]\n\thint: pass -allow-remote") {
		t.Errorf("without -allow-remote: %s", got)
	}
	d, got := loadPrinted(t, server.URL+"/swagger.yaml", Options{AllowRemote: true})
	if d == nil {
		t.Fatal(got)
	}
	if url := d.Servers.List()[0].Get("url").Text(); url != "/api" || d.Location != server.URL+"/swagger.yaml" {
		t.Errorf("server %s at %s", url, d.Location)
	}
}
