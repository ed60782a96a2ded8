package runtime

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"
)

// command runs the server's command line with no input.
func command(t *testing.T, def Definition, env map[string]string, args ...string) (code int, config Config, stdout, stderr string) {
	t.Helper()
	var out, errors bytes.Buffer
	p := process{
		args:   append([]string{"/usr/bin/sample"}, args...),
		getenv: func(name string) string { return env[name] },
		stdin:  strings.NewReader(""), stdout: &out, stderr: &errors,
	}
	code = p.run(t.Context(), func(c Config) *Server {
		config = c
		return NewServer(c, def)
	})
	return code, config, out.String(), errors.String()
}

func TestConfiguration(t *testing.T) {
	dir := t.TempDir()
	secretFile := filepath.Join(dir, "secret")
	if err := os.WriteFile(secretFile, []byte("from file\n\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	def := sample()
	def.Auth = []Auth{
		{Name: "api-key", Kind: APIKey, In: "header", Wire: "X-Key"},
		{Name: "user", Kind: Basic}, {Name: "Token.2", Kind: Bearer},
		{Name: "oauth", Kind: ClientCredentials}, {Name: "tls", Kind: MutualTLS},
	}
	code, got, stdout, stderr := command(t, def, map[string]string{
		"SAMPLE_BASE_URL":                  "https://env.test",
		"SAMPLE_API_KEY_API_KEY_FILE":      secretFile,
		"SAMPLE_BASIC_USERNAME_USER":       "ann",
		"SAMPLE_BASIC_PASSWORD_USER":       "pw",
		"SAMPLE_BEARER_TOKEN_TOKEN_2":      "tok",
		"SAMPLE_OAUTH_CLIENT_ID_OAUTH":     "id",
		"SAMPLE_OAUTH_CLIENT_SECRET_OAUTH": "sec",
		"SAMPLE_BEARER_TOKEN_OAUTH":        "ready",
		"SAMPLE_CLIENT_CERT_TLS":           "cert",
		"SAMPLE_CLIENT_KEY_TLS":            "key",
		"SAMPLE_SERVER_REGION":             "us",
		"BASE_URL":                         "https://without-prefix.test",
	}, "-base-url", "https://flag.test/v1", "-timeout=5s", "-max-response=0", "--max-body", "1000",
		"-files", dir, "-strict-arguments", "-var", "region=eu", "-log-format", "json", "-log-level=warn")
	if code != exitDone || stdout != "" || stderr != "" {
		t.Fatalf("exit %d, %q, %q", code, stdout, stderr)
	}
	got.Log = nil
	want := Config{
		BaseURL: "https://flag.test/v1",
		Credentials: map[string]Credential{
			"api-key": {Key: "from file\n"}, // one newline goes, no more
			"user":    {Username: "ann", Password: "pw"},
			"Token.2": {Token: "tok"},
			"oauth":   {ClientID: "id", ClientSecret: "sec", Token: "ready"},
			"tls":     {Certificate: "cert", PrivateKey: "key"},
		},
		Variables: map[string]string{"region": "eu"},
		Timeout:   5 * time.Second, MaxResponse: -1, MaxBody: 1000, Files: dir,
		StrictArguments: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if d := (Config{}).withDefaults(); d.Timeout != time.Minute || d.MaxResponse != 100_000 || d.MaxBody != 64<<20 {
		t.Errorf("defaults: %+v", d)
	}
}

// What is wrong with a start is said in one line, with the exit code for it.
func TestRefusedStart(t *testing.T) {
	noServer := sample()
	noServer.Upstreams = nil
	relative := sample()
	relative.Upstreams = []Upstream{{URL: "/api/v3/"}}
	broken := sample()
	broken.Tools, broken.Auth = append(broken.Tools, broken.Tools[0]), nil
	cases := []struct {
		name string
		def  Definition
		env  map[string]string
		args []string
		code int
		want string
	}{
		{"unknown flag", sample(), nil, []string{"-nope"}, 2, "-nope (-h lists the flags)"},
		{"an argument", sample(), nil, []string{"serve"}, 2, `unexpected argument "serve"`},
		{"bad duration", sample(), nil, []string{"-timeout", "soon"}, 2, `"soon" for flag -timeout: it must be a time with a unit, for example 5s`},
		{"duration without a unit", sample(), nil, []string{"-timeout", "5"}, 2, `"5" for flag -timeout: it needs a unit, for example 5s`},
		{"negative timeout", sample(), nil, []string{"-timeout=-1s"}, 2, "-timeout: it must be more than nothing"},
		{"no time at all", sample(), nil, []string{"-timeout=0"}, 2, "-timeout: it must be more than nothing"},
		{"negative size", sample(), nil, []string{"-max-body=-1"}, 2, "-max-body and -max-body-total must not be negative"},
		{"negative total", sample(), nil, []string{"-max-body-total=-1"}, 2, "-max-body and -max-body-total must not be negative"},
		{"bad size", sample(), nil, []string{"-max-response", "-5"}, 2, "it must be a number of bytes"},
		{"bad header", sample(), nil, []string{"-pass-header", "a b"}, 2, "name of a header"},
		{"bad transport", sample(), nil, []string{"-transport", "smoke"}, 2, "-transport smoke"},
		{"bad log format", sample(), nil, []string{"-log-format", "xml"}, 2, "-log-format xml"},
		{"bad level", sample(), nil, []string{"-log-level", "loud"}, 2, "-log-level"},
		{"variable without value", sample(), nil, []string{"-var", "region"}, 2, "NAME=VALUE"},
		{"unknown variable", sample(), nil, []string{"-var", "regoin=eu"}, 1, "did you mean region?"},
		{"value not allowed", sample(), map[string]string{"SAMPLE_SERVER_REGION": "mars"}, nil, 1, "eu, us"},
		{"no such folder", sample(), nil, []string{"-files", "/nowhere/at/all"}, 1, "-files: "},
		{"a file for a folder", sample(), nil, []string{"-files", os.Args[0]}, 1, "is not a folder"},
		{"no variables at all", noServer, nil, []string{"-var", "a=b"}, 1, "have no variables"},
		{"no such server", sample(), nil, []string{"-upstream", "3"}, 1, "3"},
		{"no server", noServer, nil, nil, 1, "SAMPLE_BASE_URL"},
		{"relative server", relative, nil, nil, 1, "/api/v3/"},
		{"base URL without scheme", sample(), map[string]string{"SAMPLE_BASE_URL": "api.test"}, nil, 1, `SAMPLE_BASE_URL "api.test": it must begin with https:// or http://; write https://api.test`},
		{"base URL in a flag", sample(), map[string]string{"SAMPLE_BASE_URL": "https://good.test"}, []string{"-base-url", "127.0.0.1:18099/x"}, 1, `-base-url "127.0.0.1:18099/x": it must begin with https:// or http://; write http://127.0.0.1:18099/x`},
		{"both forms", sample(), map[string]string{"SAMPLE_BASE_URL": "https://a.test", "SAMPLE_BASE_URL_FILE": "x"}, nil, 1, "both set"},
		{"unreadable file", sample(), map[string]string{"SAMPLE_API_KEY_API_KEY_FILE": "/nowhere/at/all"}, nil, 1, "SAMPLE_API_KEY_API_KEY_FILE"},
		{"registered twice", broken, nil, nil, 1, "registered twice"},
	}
	for _, tc := range cases {
		code, _, stdout, stderr := command(t, tc.def, tc.env, tc.args...)
		if code != tc.code || stdout != "" || !strings.HasPrefix(stderr, "error: ") || !strings.Contains(stderr, tc.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, %q, want %d and %s", tc.name, code, stdout, stderr, tc.code, tc.want)
		}
	}
}

// What a document calls its schemes must not be a command to a terminal, and
// schemes of one name in capitals have variables of their own.
func TestNamesOfSchemes(t *testing.T) {
	def := Definition{Name: "n", Title: "T\x1b[31m", Version: "1\n2", Auth: []Auth{
		{Name: "a/b", Kind: APIKey, In: "header", Wire: "X-\u202eA"},
		{Name: "a b", Kind: APIKey, In: "query", Wire: "b", Env: "A_B_2"},
		{Name: "evil\x1b]0;x\x07\n  FAKE_VARIABLE  y", Kind: Bearer},
		{Name: "cc", Kind: ClientCredentials, Env: "CC_2"},
	}, Upstreams: []Upstream{{URL: "https://{h}.test", Variables: []Variable{{Name: "h", Default: "\x1b"}}}}, Tools: []Tool{{Name: "t"}}}
	_, _, stdout, _ := command(t, def, nil, "-h")
	for _, r := range strings.ReplaceAll(stdout, "\n", "") {
		if !unicode.IsPrint(r) {
			t.Errorf("%U is in the help: %q", r, stdout)
			break
		}
	}
	for _, want := range []string{`"T\x1b[31m"`, `"1\n2"`, `"X-\u202eA"`, `"evil\x1b]0;x\a\n  FAKE_VARIABLE  y"`, "  API_KEY_A_B ", "  API_KEY_A_B_2 ", "  OAUTH_CLIENT_ID_CC_2 ", "  BEARER_TOKEN_CC_2 "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("-h lacks %q:\n%s", want, stdout)
		}
	}
	_, config, _, _ := command(t, def, map[string]string{"API_KEY_A_B": "one-one", "API_KEY_A_B_2": "two-two", "BEARER_TOKEN_CC": "three"})
	if config.Credentials["a/b"].Key != "one-one" || config.Credentials["a b"].Key != "two-two" || config.Credentials["cc"].Token != "" {
		t.Errorf("%+v", config.Credentials)
	}
}

// A secret given where the name of its file belongs must not be repeated, what
// else it looks like.
func TestSecretForAFile(t *testing.T) {
	folder := t.TempDir()
	for _, value := range []string{"s3cr3t-value", "/s3cr3t/value", folder, filepath.Join(folder, "s3cr3t"), "s3cr3t\x00value", "s3cr3t\nvalue", strings.Repeat("s3cr3t", 100)} {
		code, _, stdout, stderr := command(t, sample(), map[string]string{"SAMPLE_API_KEY_API_KEY_FILE": value})
		if code != exitError || stdout != "" || strings.Contains(stderr, "s3cr3t") || strings.Contains(stderr, folder) ||
			!strings.HasPrefix(stderr, "error: SAMPLE_API_KEY_API_KEY_FILE names no file that can be read: ") ||
			!strings.HasSuffix(stderr, "the secret itself goes into SAMPLE_API_KEY_API_KEY\n") {
			t.Errorf("%q: exit %d, %q, %q", value, code, stdout, stderr)
		}
	}
}

// A server none of whose tools uses the document's servers needs no address.
func TestDetached(t *testing.T) {
	def := sample()
	def.Upstreams, def.Detached = nil, true
	if code, _, _, stderr := command(t, def, nil); code != exitDone {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// A tool without its file, or with half of one, is no server.
func TestBrokenFiles(t *testing.T) {
	absent, half := oneTool(`{}`), oneTool(`{}`)
	absent.Tools = append(absent.Tools, Tool{Name: "absent", Handle: echo})
	half.Schemas = fstest.MapFS{"tools/tool.json": {Data: []byte(`{"name":"tool"`)}}
	for def, want := range map[*Definition]string{
		&absent: "error: tool absent: open tools/absent.json: file does not exist\n",
		&half:   "error: tool tool: tools/tool.json: brackets do not match\n",
	} {
		if code, _, stdout, stderr := command(t, *def, nil); code != exitError || stdout != "" || !strings.HasSuffix(stderr, want) {
			t.Errorf("exit %d, %q, %q, want %s", code, stdout, stderr, want)
		}
	}
}

// TestUnsetCredentials: a start without credentials is said in one line.
func TestUnsetCredentials(t *testing.T) {
	def := sample()
	def.Auth = []Auth{{Name: "key", Kind: APIKey, In: "header", Wire: "X-Key"}, {Name: "user", Kind: Basic}}
	key, user := map[string]string{"SAMPLE_API_KEY_KEY": "abc"}, map[string]string{"SAMPLE_BASIC_USERNAME_USER": "ann"}
	both := map[string]string{"SAMPLE_API_KEY_KEY": "abc", "SAMPLE_BASIC_USERNAME_USER": "ann"}
	for _, tc := range []struct {
		name string
		env  map[string]string
		args []string
		want string
	}{
		{"none", nil, nil, `level=WARN msg="credentials are not set; a tool that needs one says so when it is called" schemes="key (SAMPLE_API_KEY_KEY), user (SAMPLE_BASIC_USERNAME_USER and SAMPLE_BASIC_PASSWORD_USER)"`},
		{"one of two", user, nil, `schemes="key (SAMPLE_API_KEY_KEY)"`},
		{"the other", key, nil, `level=INFO`},
		{"one of two, warnings only", key, []string{"-log-level", "warn"}, ""},
		{"both", both, nil, ""},
	} {
		code, _, stdout, stderr := command(t, def, tc.env, tc.args...)
		if code != exitDone || stdout != "" || !strings.Contains(stderr, tc.want) || strings.Count(stderr, "\n") != min(1, len(tc.want)) {
			t.Errorf("%s: exit %d, %q, %q, want %s", tc.name, code, stdout, stderr, tc.want)
		}
	}
}

func TestHelp(t *testing.T) {
	broken := map[string]string{"SAMPLE_BASE_URL": "a", "SAMPLE_BASE_URL_FILE": "b"} // -h works all the same
	code, _, stdout, stderr := command(t, sample(), broken, "-h")
	if code != exitDone || stderr != "" {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{
		"Sample as an MCP server, version 1.2.3", "Usage: sample [flags]",
		"-base-url URL", "-var NAME=VALUE", "-strict-arguments  ",
		"SAMPLE_BASE_URL ", "SAMPLE_API_KEY_API_KEY ", "key of scheme api-key (header X-Key)", "SAMPLE_SERVER_REGION ", "default eu",
		"-base-url and -var win over it", "came over HTTP, never on stdio",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("-h lacks %q:\n%s", want, stdout)
		}
	}
}

func TestVersion(t *testing.T) {
	_, _, first, _ := command(t, sample(), nil, "-version")
	if !strings.HasPrefix(first, "sample 1.2.3 (9 tools, surface ") {
		t.Error(first)
	}
	changed := sample()
	changed.Tools = changed.Tools[1:]
	if _, _, other, _ := command(t, changed, nil, "-version"); other == first {
		t.Error("another surface, the same digest")
	}
	seen := map[string]string{first: "the sample"}
	for name, change := range map[string]func(*Server){
		"instructions": func(s *Server) { s.def.Instructions += " More." },
		"a resource":   func(s *Server) { s.Add(Package{Resources: []Resource{{URI: "a://b", Name: "b"}}}) },
		"its title":    func(s *Server) { s.Add(Package{Resources: []Resource{{URI: "a://b", Name: "b", Title: "B"}}}) },
		"a prompt":     func(s *Server) { s.Add(Package{Prompts: []Prompt{{Name: "b"}}}) },
		"its argument": func(s *Server) {
			s.Add(Package{Prompts: []Prompt{{Name: "b", Arguments: []PromptArgument{{Name: "c"}}}}})
		},
	} {
		var out bytes.Buffer
		p := process{args: []string{"sample", "-version"}, getenv: func(string) string { return "" }, stdout: &out, stderr: &out}
		p.run(t.Context(), func(c Config) *Server {
			s := NewServer(c, sample())
			change(s)
			return s
		})
		if seen[out.String()] != "" {
			t.Errorf("%s: the digest is that of %s", name, seen[out.String()])
		}
		seen[out.String()] = name
	}
	broken := sample()
	broken.Tools = []Tool{{Name: "absent"}}
	if code, _, _, stderr := command(t, broken, nil, "-version"); code != exitError || !strings.Contains(stderr, "absent") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
