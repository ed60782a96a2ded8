package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

const document = `openapi: 3.1.0
info: {title: Pets, version: 1.2.0}
servers: [{url: "https://{region}.pets.test", variables: {region: {default: eu}}}]
security: [{key: []}]
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    user: {type: http, scheme: basic}
    client: {type: oauth2, flows: {clientCredentials: {tokenUrl: "https://pets.test/token", scopes: {}}}}
    token: {type: http, scheme: bearer}
    tls: {type: mutualTLS}
paths:
  /a: {get: {operationId: a, responses: {"200": {description: ok}}}}
  /b: {get: {operationId: b, security: [{user: []}, {client: []}, {token: []}, {tls: []}], responses: {"200": {description: ok}}}}
`

// TestPack builds a bundle for this machine and uses what it holds.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	prove.Write(t, filepath.Join(dir, "pets.yaml"), document)
	g := prove.Generate(t, dir, os.Environ(), "pets.yaml", "-o", "out", "-module", "example.com/pets", "-packaging", "-registry-name", "io.github.me/pets", "-image", "ghcr.io/me/pets")
	if g.Exit != 0 {
		t.Fatal(g.Stderr)
	}
	out := filepath.Join(dir, "out")
	var steps []string
	b, err := Pack(t.Context(), out, []Platform{Host()}, func(format string, _ ...any) { steps = append(steps, format) })
	if err != nil {
		t.Fatal(err)
	}
	if b.Name != "pets" || b.Version != "1.2.0" || len(steps) != 2 {
		t.Errorf("%s %s, %q", b.Name, b.Version, steps)
	}
	again, err := Pack(t.Context(), out, []Platform{Host()}, func(string, ...any) {})
	if err != nil || again.SHA256() != b.SHA256() {
		t.Errorf("again: other bytes, %v", err)
	}
	binary := unpack(t, b.Data)
	t.Run("version", func(t *testing.T) {
		if got := run(t, binary, "-version"); !strings.HasPrefix(got, "pets 1.2.0 (2 tools, surface ") {
			t.Error(got)
		}
	})
	t.Run("settings", func(t *testing.T) { checkSettings(t, out, run(t, binary, "-h")) })
	t.Run("flags of Kubernetes", func(t *testing.T) {
		var deployment struct {
			Spec struct {
				Template struct {
					Spec struct{ Containers []struct{ Args []string } }
				}
			}
		}
		if err := yaml.NewDecoder(strings.NewReader(prove.Read(t, filepath.Join(out, "kubernetes.yaml")))).Decode(&deployment); err != nil {
			t.Fatal(err)
		}
		args := deployment.Spec.Template.Spec.Containers[0].Args
		if len(args) == 0 || !slices.Contains(args, "-transport=http") {
			t.Fatalf("flags: %q", args)
		}
		run(t, binary, append(args, "-version")...)
	})
}

// unpack checks the names and modes in a bundle and returns the binary, ready
// to run.
func unpack(t *testing.T, data []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var got []string
	for _, f := range z.File {
		if !f.Modified.UTC().Equal(epoch) {
			t.Errorf("%s is of %s", f.Name, f.Modified)
		}
		got = append(got, f.Mode().String()+" "+f.Name)
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		prove.Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(text))
	}
	place := "server/" + Host().host() + "/pets"
	if Host().OS == "windows" {
		place += ".exe"
	}
	if diff := cmp.Diff([]string{"-rw-r--r-- manifest.json", "-rwxr-xr-x " + place}, got); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if m.text("server", "entry_point") != place || cmp.Diff([]any{Host().host()}, m.at("compatibility", "platforms")) != "" {
		t.Errorf("the manifest is of another bundle: %v", m.members)
	}
	binary := filepath.Join(dir, filepath.FromSlash(place))
	if err := os.Chmod(binary, 0o755); err != nil {
		t.Fatal(err)
	}
	return binary
}

func run(t *testing.T, binary string, args ...string) string {
	t.Helper()
	text, err := exec.Command(binary, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, text)
	}
	return string(text)
}

// checkSettings holds the variables of the packaging to those that the server
// says it reads.
func checkSettings(t *testing.T, dir, usage string) {
	t.Helper()
	_, environment, _ := strings.Cut(usage, "Environment (")
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^  ([A-Z0-9_]+) `).FindAllStringSubmatch(environment, -1) {
		want = append(want, m[1])
	}
	var entry struct {
		Packages []struct{ EnvironmentVariables []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(prove.Read(t, filepath.Join(dir, "server.json"))), &entry); err != nil {
		t.Fatal(err)
	}
	for _, p := range entry.Packages {
		var got []string
		for _, v := range p.EnvironmentVariables {
			got = append(got, v.Name)
		}
		if diff := cmp.Diff(want, got); len(want) < 10 || diff != "" {
			t.Errorf("variables (-the server +the packaging):\n%s", diff)
		}
	}
}

// valid is a manifest with everything that this package looks at.
const valid = `{
  "manifest_version": "0.3", "name": "x", "version": "1.0.0", "description": "d", "author": {"name": "a"},
  "icon": "icon.png", "screenshots": ["shots/1.png"],
  "server": {"type": "binary", "entry_point": "server/x", "mcp_config": {
    "command": "${__dirname}/server/x", "env": {"K": "${user_config.k}"},
    "platform_overrides": {"win32": {"command": "${__dirname}/server/x.exe"}}}},
  "user_config": {"k": {"type": "string", "title": "K", "description": "k"}}
}`

func TestManifest(t *testing.T) {
	linux, arm, windows, mac := Platform{"linux", "amd64"}, Platform{"linux", "arm64"}, Platform{"windows", "amd64"}, Platform{"darwin", "arm64"}
	for _, test := range []struct {
		name, from, to string
		platforms      []Platform
		code, message  string // of the error
	}{
		{"valid", "", "", []Platform{linux, windows}, "", ""},
		{"broken", "{", "[", nil, "bad-manifest", "it is not JSON"},
		{"list", valid, "[]", nil, "bad-manifest", "/: got array, want object"},
		{"unknown member", `"icon"`, `"ikon"`, nil, "bad-manifest", "/: additional properties 'ikon' not allowed"},
		{"other version", "0.3", "0.4", nil, "bad-manifest", "/manifest_version: value must be '0.3'"},
		{"wrong type", `"1.0.0"`, `1`, nil, "bad-manifest", "/version: got number, want string"},
		{"missing", `"author": {"name": "a"},`, "", nil, "bad-manifest", "missing property 'author'"},
		{"no binary", `"type": "binary"`, `"type": "node"`, nil, "bad-manifest", "a server of type node holds no binary"},
		{"no question", "user_config.k}", "user_config.other}", nil, "bad-manifest", "/server/mcp_config/env/K: there is no /user_config/other"},
		{"no place", `"${__dirname}/server/x"`, `"/usr/bin/x"`, []Platform{linux}, "bad-manifest", `the manifest's command for linux is "/usr/bin/x"`},
		{"place outside", `/server/x"`, `/../x"`, []Platform{linux}, "bad-manifest", "has no place"},
		{"place of the manifest", `/server/x"`, `/manifest.json"`, []Platform{linux}, "bad-manifest", "has no place"},
		{"two processors", "", "", []Platform{linux, arm}, "platforms", "linux/amd64 and linux/arm64 have the same place"},
		{"two systems", "", "", []Platform{linux, mac}, "platforms", "linux/amd64 and darwin/arm64 have the same place"},
		{"no picture", "shots/1.png", "shots/2.png", []Platform{linux}, "no-file", "the manifest names shots/2.png"},
		{"picture outside", "shots/1.png", "../1.png", []Platform{linux}, "no-file", "the manifest names ../1.png"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			prove.Write(t, filepath.Join(dir, "out", "manifest.json"), strings.Replace(valid, test.from, test.to, 1))
			for _, picture := range []string{"out/icon.png", "out/shots/1.png", "1.png"} {
				prove.Write(t, filepath.Join(dir, picture), "picture")
			}
			files, err := prepare(filepath.Join(dir, "out"), test.platforms)
			var e *Error
			switch {
			case test.code == "" && err != nil:
				t.Fatal(err)
			case test.code == "":
				if diff := cmp.Diff([]string{"icon.png", "shots/1.png", "server/x", "server/x.exe"}, files); diff != "" {
					t.Error(diff)
				}
			case !errors.As(err, &e) || e.Code != test.code || !strings.Contains(e.Message, test.message) || e.Hint == "":
				t.Errorf("want %s, %s; got %v", test.code, test.message, err)
			}
		})
	}
}

// prepare is Pack up to the first build. It returns what would be packed.
func prepare(dir string, platforms []Platform) ([]string, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	places, err := m.places(platforms)
	if err != nil {
		return nil, err
	}
	pictures, err := m.pictures(dir)
	var names []string
	for _, p := range pictures {
		names = append(names, p.name)
	}
	return append(names, places...), err
}

func TestParsePlatform(t *testing.T) {
	for _, bad := range []string{"", "linux", "linux/", "/amd64", "plan9/amd64", "linux/AMD64", "linux/amd64/v2", "linux/amd64 "} {
		if p, err := ParsePlatform(bad); err == nil {
			t.Errorf("%q is %v", bad, p)
		}
	}
	if p, err := ParsePlatform("darwin/arm64"); err != nil || p != (Platform{"darwin", "arm64"}) {
		t.Error(p, err)
	}
}
