package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// rounds is how many sets of arguments each tool is called with.
const rounds = 3

// TestCalls calls every operation of the documents that are marked for it and
// has kin-openapi's filter judge the request that arrives. What it refuses must
// be in testdata/exceptions.txt with the reason why the filter, or the document,
// is wrong.
func TestCalls(t *testing.T) {
	m := servers(t)
	for _, d := range documents {
		if !d.calls {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			p := d.parse(t)
			judge := newJudge(t, d.source(t))
			upstream := prove.NewUpstream(t)
			env := append(upstream.Env(), "BASE_URL="+upstream.URL)
			client := m.Start(t, d.name, append(env, credentials(p.server)...))
			refused := map[string]error{}
			requests := 0
			for _, tool := range p.server.Tools() {
				for round := range uint64(rounds) {
					sent, err := callOnce(t.Context(), client, upstream, judge, tool, round)
					if sent {
						requests++
					}
					if err != nil {
						refused[tool.Name] = err
						break
					}
				}
			}
			t.Logf("%d requests from %d tools, %d refused; parameters the filter cannot read: %v",
				requests, len(p.server.Tools()), len(refused), judge.blind)
			holdAgainst(t, refused, accepted(t, "exceptions.txt", d.name))
		})
	}
}

// holdAgainst compares what was refused with what may be.
func holdAgainst(t *testing.T, refused map[string]error, accepted map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		if accepted[name] == "" {
			t.Errorf("%s: %v", name, refused[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		if refused[name] == nil {
			t.Errorf("the exception for %s is not needed any more (%s)", name, accepted[name])
		}
	}
}

// callOnce calls a tool with arguments made from its schema and returns what is
// wrong with the request, and whether there was one.
func callOnce(ctx context.Context, client *prove.Client, upstream *prove.Upstream, judge *judge, tool *ir.Tool, round uint64) (bool, error) {
	maker, err := prove.NewMaker(tool.Input)
	if err != nil {
		return false, err
	}
	seed := fnv.New64a()
	seed.Write([]byte(tool.Name))
	maker.Full = true
	arguments, err := maker.Arguments(seed.Sum64() + round)
	if err != nil {
		return false, err
	}
	if tool.Request.Body != nil {
		if arguments, err = withoutPaths(arguments); err != nil {
			return false, err
		}
	}
	result := client.Call(tool.Name, arguments)
	seen := upstream.Take()
	if len(seen) != 1 {
		return false, fmt.Errorf("%d requests for %s\n%s", len(seen), arguments, result.Raw)
	}
	if err := judge.request(ctx, tool, seen[0]); err != nil {
		return true, fmt.Errorf("%w\narguments %s\nrequest %s%.2000s", err, arguments, seen[0].Head, seen[0].Body)
	}
	return true, nil
}

// withoutPaths makes files that come from a folder, or from two places at once,
// files that come with the call.
func withoutPaths(arguments string) (string, error) {
	d := json.NewDecoder(strings.NewReader(arguments))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return "", err
	}
	var walk func(any) any
	walk = func(value any) any {
		switch v := value.(type) {
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case map[string]any:
			for name := range v {
				v[name] = walk(v[name])
			}
			if isFile(v) {
				return map[string]any{"data": "AP8Q", "filename": "a b.bin"}
			}
		}
		return value
	}
	out, err := json.Marshal(walk(value))
	return string(out), err
}

// isFile reports whether an object is a file argument.
func isFile(object map[string]any) bool {
	for name := range object {
		if !slices.Contains([]string{"data", "path", "filename", "contentType"}, name) {
			return false
		}
	}
	return len(object) > 0
}

// credentials sets one for every scheme.
func credentials(server *ir.Server) []string {
	var env []string
	for _, a := range server.Auth {
		name := strings.Map(func(c rune) rune {
			switch {
			case c >= 'a' && c <= 'z':
				return c - 'a' + 'A'
			case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
				return c
			}
			return '_'
		}, a.Name)
		switch a.Kind {
		case ir.APIKey:
			env = append(env, "API_KEY_"+name+"=key")
		case ir.Basic:
			env = append(env, "BASIC_USERNAME_"+name+"=user", "BASIC_PASSWORD_"+name+"=word")
		default:
			env = append(env, "BEARER_TOKEN_"+name+"=token")
		}
	}
	return env
}
