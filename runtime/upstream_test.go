package runtime

import (
	"net/url"
	"strings"
	"testing"
)

func TestUpstreams(t *testing.T) {
	demo := Upstream{URL: "https://{tenant}.api.test:{port}/v2", Variables: []Variable{
		{Name: "tenant", Default: "demo"}, {Name: "port", Default: "8443", Enum: []string{"8443", "443"}}}}
	backup := Upstream{URL: "https://backup.test"}
	for _, tc := range []struct {
		name   string
		config Config
		def    []Upstream
		own    []Upstream // of the operation
		path   string
		want   string // the URL, or part of the error
	}{
		{"base path", Config{}, []Upstream{{URL: "https://api.test/v1"}}, nil, "/pets", "https://api.test/v1/pets"},
		{"one slash", Config{}, []Upstream{{URL: "https://api.test/v1/"}}, nil, "/pets", "https://api.test/v1/pets"},
		{"root of a base path", Config{}, []Upstream{{URL: "https://api.test/v1"}}, nil, "/", "https://api.test/v1/"},
		{"no base path", Config{}, []Upstream{{URL: "https://api.test"}}, nil, "/", "https://api.test/"},
		{"trailing slash stays", Config{}, []Upstream{{URL: "https://api.test/v1"}}, nil, "/trail/", "https://api.test/v1/trail/"},
		{"encoded base path", Config{}, []Upstream{{URL: "https://api.test/a%2Fb"}}, nil, "/x", "https://api.test/a%2Fb/x"},
		{"defaults of variables", Config{}, []Upstream{demo, backup}, nil, "/a", "https://demo.api.test:8443/v2/a"},
		{"set variable", Config{Variables: map[string]string{"tenant": "acme"}}, []Upstream{demo}, nil, "/a", "https://acme.api.test:8443/v2/a"},
		{"set enum", Config{Variables: map[string]string{"port": "443"}}, []Upstream{demo}, nil, "/a", "https://demo.api.test:443/v2/a"},
		{"outside the enum", Config{Variables: map[string]string{"port": "80"}}, []Upstream{demo}, nil, "/a", `server variable port (T_SERVER_PORT): "80" is not one of 8443, 443`},
		{"variable that ends the host", Config{Variables: map[string]string{"tenant": "evil.test/"}}, []Upstream{demo}, nil, "/a", `server variable tenant (T_SERVER_TENANT): "evil.test/" cannot stand in a host name`},
		{"variable that starts a user", Config{Variables: map[string]string{"tenant": "evil.test@"}}, []Upstream{demo}, nil, "/a", "cannot stand in a host name"},
		{"variable that starts a query", Config{Variables: map[string]string{"tenant": "evil.test?"}}, []Upstream{demo}, nil, "/a", "cannot stand in a host name"},
		{"variable with an encoded slash", Config{Variables: map[string]string{"tenant": "evil.test%2f"}}, []Upstream{demo}, nil, "/a", "cannot stand in a host name"},
		{"variable in the path", Config{Variables: map[string]string{"base": "v2/x"}}, []Upstream{{URL: "https://api.test/{base}"}}, nil, "/a", "https://api.test/v2/x/a"},
		{"variable that is the address", Config{Variables: map[string]string{"url": "https://self.test/x"}}, []Upstream{{URL: "{url}/v1"}}, nil, "/a", "https://self.test/x/v1/a"},
		{"variable without a value", Config{}, []Upstream{{URL: "https://{who}.test"}}, nil, "/a", "server variable who (T_SERVER_WHO): the address"},
		{"second server", Config{Upstream: 1}, []Upstream{demo, backup}, nil, "/a", "https://backup.test/a"},
		{"no such server", Config{Upstream: 2}, []Upstream{demo, backup}, nil, "/a", "the document has 2 servers"},
		{"base URL", Config{BaseURL: "http://localhost:8080/x/"}, []Upstream{demo}, nil, "/pets", "http://localhost:8080/x/pets"},
		{"base URL for a relative server", Config{BaseURL: "https://b.test/p"}, []Upstream{{URL: "/api"}}, nil, "/cups", "https://b.test/p/cups"},
		{"base URL without a scheme", Config{BaseURL: "localhost:8080"}, nil, nil, "/a", "must begin with https:// or http://"},
		{"base URL with a password", Config{BaseURL: "https://u:secret@b.test"}, nil, nil, "/a", "must not hold a user name"},
		{"none", Config{}, nil, nil, "/a", "names no server: set T_BASE_URL"},
		{"relative", Config{}, []Upstream{{URL: "/api/v3/"}}, nil, "/a", "relative server /api/v3/: set T_BASE_URL"},
		{"operation's server", Config{}, []Upstream{backup}, []Upstream{{URL: "https://files.test"}}, "/f", "https://files.test/f"},
		{"operation's server beside a base URL", Config{BaseURL: "https://stage.test"}, []Upstream{backup}, []Upstream{{URL: "https://upload.test/up"}}, "/f", "https://upload.test/up/f"},
		{"operation's own scheme", Config{}, []Upstream{{URL: "https://api.test/v1"}}, []Upstream{{URL: "http://api.test/v1/"}}, "/f", "http://api.test/v1/f"},
		{"operation's own scheme and a base URL", Config{BaseURL: "https://stage.test/x"}, []Upstream{backup, {URL: "https://api.test/v1"}}, []Upstream{{URL: "http://API.test/v1/"}}, "/f", "https://stage.test/x/f"},
		{"the document's server again and a base URL", Config{BaseURL: "https://stage.test"}, []Upstream{demo}, []Upstream{demo}, "/f", "https://stage.test/f"},
		{"operation's own path and a base URL", Config{BaseURL: "https://stage.test"}, []Upstream{{URL: "https://api.test/v1"}}, []Upstream{{URL: "https://api.test/v2"}}, "/f", "https://api.test/v2/f"},
		{"operation's second server is spare", Config{Upstream: 1}, []Upstream{demo, backup}, []Upstream{{URL: "https://one.test"}, {URL: "https://two.test"}}, "/f", "https://one.test/f"},
		{"operation's relative server", Config{}, []Upstream{{URL: "https://api.test/v1"}}, []Upstream{{URL: "/up"}}, "/f", "https://api.test/up/f"},
		{"operation's relative server and a base URL", Config{BaseURL: "https://stage.test/x"}, nil, []Upstream{{URL: "/up"}}, "/f", "https://stage.test/up/f"},
		{"operation's variables", Config{Variables: map[string]string{"r": "eu"}}, []Upstream{backup}, []Upstream{{URL: "https://{r}.files.test", Variables: []Variable{{Name: "r", Default: "us"}}}}, "/f", "https://eu.files.test/f"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := testCall(t, "", tc.config, Definition{Upstreams: tc.def, EnvPrefix: "T_"})
			r := c.Request("GET", tc.path)
			for _, u := range tc.own {
				r.Upstream(u)
			}
			x, err := c.prepare(t.Context(), r)
			switch {
			case err != nil && strings.Contains(err.Error(), "secret"):
				t.Errorf("the password is in %q", err)
			case err != nil && !strings.Contains(err.Error(), tc.want):
				t.Errorf("error %q, want %q", err, tc.want)
			case err == nil && x.url.String() != tc.want:
				t.Errorf("got %s, want %s", x.url, tc.want)
			}
			if startError := c.server.checkUpstreams(); len(tc.own) == 0 && (startError == nil) != (err == nil) {
				t.Errorf("at start %v, at the call %v", startError, err)
			}
		})
	}
}

func mustURL(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
