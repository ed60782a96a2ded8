package gen

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// TestReadmeEnv checks that the README's example for clients is JSON and names
// what the server must be given.
func TestReadmeEnv(t *testing.T) {
	reachable := []ir.Upstream{{URL: "https://a.test"}}
	for _, test := range []struct {
		name      string
		upstreams []ir.Upstream
		auth      []ir.Auth
		want      []string
	}{
		{"nothing", reachable, nil, nil},
		{"an address", nil, nil, []string{"BASE_URL"}},
		{"a key", reachable, []ir.Auth{{Name: "a-b", Kind: ir.APIKey}}, []string{"API_KEY_A_B"}},
		{"an address and two credentials", nil, []ir.Auth{{Name: "z", Kind: ir.Basic}, {Name: "a", Kind: ir.Bearer}},
			[]string{"BASE_URL", "BASIC_USERNAME_Z", "BASIC_PASSWORD_Z", "BEARER_TOKEN_A"}},
		{"a scheme whose name another one has", reachable, []ir.Auth{{Name: "a b", Env: "A_B_2", Kind: ir.APIKey}}, []string{"API_KEY_A_B_2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := petstore()
			s.Upstreams, s.Auth = test.upstreams, test.auth
			text := string(generate(t, s, inModule).File("README.md").Data)
			_, example, _ := strings.Cut(text, "```json\n")
			example, after, found := strings.Cut(example, "\n```\n")
			var config struct {
				Servers map[string]struct {
					Command string            `json:"command"`
					Env     map[string]string `json:"env"`
				} `json:"mcpServers"`
			}
			if err := json.Unmarshal([]byte(example), &config); !found || err != nil {
				t.Fatalf("%v:\n%s", err, text)
			}
			server := config.Servers["petstore"]
			if server.Command != "/path/to/petstore" || len(server.Env) != len(test.want) {
				t.Errorf("got %+v, want a command and %v", server, test.want)
			}
			at := []int{}
			for _, name := range test.want {
				at = append(at, strings.Index(example, `"`+name+`"`))
			}
			if slices.Contains(at, -1) || !slices.IsSorted(at) {
				t.Errorf("want %v in this order:\n%s", test.want, example)
			}
			if explained := strings.Contains(after, "_FILE"); explained != (len(test.want) > 0) {
				t.Errorf("what to do about the variables: %q", after)
			}
		})
	}
}
