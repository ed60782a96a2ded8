package runtime

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// configFile writes a file for one test.
func configFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The command line wins over the environment, and that over the file.
func TestConfigFile(t *testing.T) {
	secret := configFile(t, "key", "from-a-file\n")
	file := configFile(t, "c.json", `{
		"base-url": "https://file.test", "timeout": "5s", "max-response": 0, "strict-arguments": true,
		"tool": ["echo", "array"], "rate": {"echo": "10/s", "array": "1/m"}, "var": {"region": "us"},
		"addr": ":1", "log-level": "warn",
		"SAMPLE_API_KEY_API_KEY_FILE": `+string(quote(secret))+`}`)
	run := func(env map[string]string, args ...string) Config {
		t.Helper()
		code, config, stdout, stderr := command(t, sample(), env, append([]string{"-config", file}, args...)...)
		if code != exitDone || stdout != "" || stderr != "" {
			t.Fatalf("exit %d, %q, %q", code, stdout, stderr)
		}
		config.Log = nil
		return config
	}
	want := Config{
		BaseURL: "https://file.test", Timeout: 5 * time.Second, MaxResponse: -1, StrictArguments: true,
		Offer:     Offer{Tools: []string{"echo", "array"}},
		Limits:    Limits{Rates: map[string]Rate{"echo": {10, time.Second}, "array": {1, time.Minute}}},
		Variables: map[string]string{"region": "us"}, Credentials: map[string]Credential{"api-key": {Key: "from-a-file"}},
	}
	same := func(what string, got Config) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", what, got, want)
		}
	}
	same("file", run(nil))
	want.BaseURL, want.Variables = "https://env.test", map[string]string{"region": "eu"}
	want.Credentials = map[string]Credential{"api-key": {Key: "from-the-environment"}}
	env := map[string]string{"SAMPLE_BASE_URL": "https://env.test", "SAMPLE_SERVER_REGION": "eu", "SAMPLE_API_KEY_API_KEY": "from-the-environment"}
	same("environment", run(env))
	want.BaseURL, want.Offer.Tools, want.Timeout = "https://flag.test", []string{"fails"}, 7*time.Second
	same("flags", run(env, "-base-url=https://flag.test", "-tool", "fails", "-timeout=7s"))
}

// A file may serve for both transports: what it says of HTTP counts there alone, and
// a flag of HTTP on the command line may rely on it.
func TestConfigFileOfHTTP(t *testing.T) {
	both := configFile(t, "both.json", `{"pass-token":true,"pass-header":["X-A","x-b"],"stateless":true,"SAMPLE_API_KEY_API_KEY":"k"}`)
	http := configFile(t, "http.json", `{"transport":"http"}`)
	for _, tc := range []struct {
		name, args string
		code       int
		token      bool
		headers    []string
		stderr     string
	}{
		{"file on stdio", "-config " + both, 0, false, nil, ""},
		{"file over HTTP", "-print-config -transport http -config " + both, 0, true, []string{"X-A", "x-b"}, ""},
		{"flags over the file's HTTP", "-print-config -stateless -pass-token -pass-header x-c -config " + http, 0, true, []string{"x-c"}, ""},
		{"flags on stdio beside a file", "-pass-token -config " + both, 1, true, []string{"X-A", "x-b"}, "-pass-token needs -transport http"},
	} {
		code, config, _, stderr := command(t, sample(), nil, strings.Fields(tc.args)...)
		if code != tc.code || !strings.Contains(stderr, tc.stderr) || (stderr == "") != (tc.stderr == "") {
			t.Errorf("%s: exit %d, %q", tc.name, code, stderr)
		} else if code == 0 && (config.PassToken != tc.token || !reflect.DeepEqual(config.PassHeaders, tc.headers)) {
			t.Errorf("%s: %v, %v", tc.name, config.PassToken, config.PassHeaders)
		}
	}
}

func TestRefusedConfigFile(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no JSON", "{\n  \"timeout\": 5s\n}", "line 2, column 15: invalid character 's'"},
		{"nothing", "", "it must be a JSON object"},
		{"a list", "[1]", "it must be a JSON object"},
		{"null", "null", `it must be a JSON object, such as {"timeout": "30s"}`},
		{"unknown key", `{"time-out":"5s"}`, "time-out: there is no flag or variable of that name; did you mean timeout?"},
		{"unknown variable", `{"SAMPLE_BASEURL":"x"}`, "did you mean SAMPLE_BASE_URL?"},
		{"of the command line", `{"config":"x"}`, "config: there is no flag"},
		{"control characters", "{\"a\\u001b[31m\":1}", `"a\x1b[31m": there is no flag`},
		{"twice", `{"timeout":"5s","timeout":"6s"}`, "timeout is there twice"},
		{"null value", `{"timeout":null}`, "timeout: a text, a number, true or false is wanted"},
		{"nested", `{"tool":[["a"]]}`, "tool: a text, a number"},
		{"a list where one is wanted", `{"timeout":["5s","6s"]}`, "timeout: it must be one value"},
		{"a bad value", `{"timeout":"soon"}`, "timeout: it must be a time with a unit"},
		{"an unknown tool", `{"tool":"ecko"}`, "-tool ecko: there is no tool of that name; did you mean echo?"},
		{"variable as a list", `{"SAMPLE_BASE_URL":["a","b"]}`, "SAMPLE_BASE_URL: it must be one text"},
		{"both forms", `{"SAMPLE_BASE_URL":"a","SAMPLE_BASE_URL_FILE":"b"}`, "both set"},
		{"a bad address", `{"base-url":"api.test"}`, `error: base-url in `},
	} {
		file := configFile(t, "c.json", tc.text)
		code, _, stdout, stderr := command(t, sample(), nil, "-config", file)
		if code != exitError || stdout != "" || !strings.Contains(stderr, file) || !strings.Contains(stderr, tc.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, %q, want %s", tc.name, code, stdout, stderr, tc.want)
		}
	}
	if code, _, _, stderr := command(t, sample(), nil, "-config", "/nowhere/at/all"); code != exitError || !strings.Contains(stderr, "-config /nowhere/at/all: no such file") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// What counts is shown with its source, and no secret.
func TestPrintConfig(t *testing.T) {
	file := configFile(t, "c.json", `{"base-url":"https://file.test","timeout":"5s","tool":["echo","array"],"SAMPLE_API_KEY_API_KEY":"hunter2-secret"}`)
	code, _, stdout, stderr := command(t, sample(), map[string]string{"SAMPLE_BASE_URL": "https://env.test", "SAMPLE_SERVER_REGION": "eu"},
		"-print-config", "-config", file, "-timeout=7s", "-read-only", "-public-url=", "-transport=http")
	if code != exitDone || stderr != "" || strings.Contains(stdout, "hunter2") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	rows := map[string]string{}
	for line := range strings.Lines(stdout) {
		fields := strings.Fields(line)
		rows[fields[0]] = strings.Join(fields[1:], " ")
	}
	for name, want := range map[string]string{
		"base-url":               "https://env.test SAMPLE_BASE_URL",
		"timeout":                "7s command line",
		"tool":                   "echo, array " + file,
		"read-only":              "true command line",
		"max-response":           "100000 default",
		"max-calls":              "64 default",
		"files":                  "(not set) -",
		"no-tool":                "(not set) -",
		"public-url":             `"" command line`,
		"config":                 file + " command line",
		"SAMPLE_BASE_URL":        "https://env.test environment",
		"SAMPLE_SERVER_REGION":   "eu environment",
		"SAMPLE_API_KEY_API_KEY": "(hidden) " + file,
	} {
		if rows[name] != want {
			t.Errorf("%s: %q, want %q", name, rows[name], want)
		}
	}
	_, _, stdout, _ = command(t, sample(), nil, "-print-config")
	for _, name := range []string{"base-url", "SAMPLE_BASE_URL", "SAMPLE_API_KEY_API_KEY"} {
		if !regexp.MustCompile(`(?m)^` + name + ` +\(not set\) +-$`).MatchString(stdout) {
			t.Errorf("%s is not said to be not set:\n%s", name, stdout)
		}
	}
	_, _, stdout, _ = command(t, sample(), nil, "-print-config", "-base-url", "https://ann:hunter2-secret@api.test")
	if strings.Contains(stdout, "hunter2") || !strings.Contains(stdout, "https://REDACTED@api.test") {
		t.Error(stdout)
	}
}

func TestCheckConfig(t *testing.T) {
	noServer := sample()
	noServer.Upstreams = nil
	asks := sample()
	asks.environment = []string{"TENANT"}
	absent := sample()
	absent.Tools = append(absent.Tools, Tool{Name: "absent"})
	two := sample()
	two.Auth = append(two.Auth, Auth{Name: "user", Kind: Basic})
	key := map[string]string{"SAMPLE_API_KEY_API_KEY": "key-key-key"}
	for _, tc := range []struct {
		name string
		def  Definition
		env  map[string]string
		args string
		code int
		want []string
	}{
		{"complete", sample(), key, "", 0, []string{"nothing is missing; 9 tools"}},
		{"some tools", sample(), key, "-tool echo", 0, []string{"nothing is missing; 1 tool"}},
		{"one of two", two, key, "", 0, []string{"note: credentials are not set: user (SAMPLE_BASIC_USERNAME_USER and SAMPLE_BASIC_PASSWORD_USER)", "nothing is missing"}},
		{"nothing at all", noServer, nil, "-files /nowhere/at/all", 1, []string{"error: -files: ", "error: the API's document names no server: set SAMPLE_BASE_URL", "error: credentials are not set: api-key (SAMPLE_API_KEY_API_KEY)"}},
		{"an address", sample(), key, "-base-url api.test", 1, []string{`error: -base-url "api.test": it must begin`}},
		{"a function's variable", asks, key, "", 1, []string{"error: TENANT is not set, nor TENANT_FILE"}},
		{"a tool's file", absent, key, "", 1, []string{"error: tool absent: "}},
		{"no tool left", sample(), key, "-read-only", 1, []string{"error: no tool is left"}},
		{"files of HTTP", sample(), key, "-transport http -auth-tokens /nowhere/at/all", 1, []string{"error: -auth-tokens: "}},
		{"certificate", sample(), key, "-transport http -tls-cert /nowhere -tls-key /nowhere", 1, []string{"error: -tls-cert and -tls-key: "}},
	} {
		code, _, stdout, stderr := command(t, tc.def, tc.env, append(strings.Fields(tc.args), "-check-config")...)
		if code != tc.code {
			t.Errorf("%s: exit %d: %s%s", tc.name, code, stdout, stderr)
		}
		for _, want := range tc.want {
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s lacks %q: %s%s", tc.name, want, stdout, stderr)
			}
		}
	}
}
