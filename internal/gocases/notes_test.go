package gocases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// environment is what the servers of some cases are started with.
var environment = map[string][]string{"g14": {"TENANT=acme"}}

// welcome are warnings that a case leaves to the generator.
var welcome = map[string]string{"g05": "home", "g25": "a.b/c d"}

// prepared completes what toolmill leaves to the user.
var prepared = map[string]func(t *testing.T, r *run){
	// Config and Clock have no provider, so the program gives them.
	"g10": func(t *testing.T, r *run) {
		file := filepath.Join(r.Dir, "deps_svc.go")
		text := prove.Read(t, file)
		for _, name := range []string{"Config", "Clock"} {
			if !strings.Contains(text, name+":") {
				t.Errorf("deps_svc.go does not name %s:\n%s", name, text)
			}
		}
		prove.Write(t, file, `package main

import svc "gcase/g10"

func svcDeps() svc.MCPDeps {
	return svc.MCPDeps{
		Config: svc.Config{Prefix: "p:"},
		Clock:  svc.Clock{Now: func() int64 { return 42 }},
	}
}
`)
	},
}

// noted are the calls whose result only a note describes, by package and index.
var noted = map[string]bool{
	"g22/4": true, "g22/5": true, "g22/8": true, // errors of the protocol; a call that is cancelled
	"g24/2": true, "g24/5": true, // errors of the protocol
}

// notes test what an expect.json says in words.
var notes = map[string]func(t *testing.T, r *run, client *prove.Client){
	"g12": func(t *testing.T, _ *run, client *prove.Client) {
		if result := client.Call("nothing", `{"x":1}`); result.Structured != nil {
			t.Errorf("nothing: structuredContent %s", result.Structured)
		}
	},
	"g13": func(t *testing.T, _ *run, client *prove.Client) {
		blocks := client.Call("blocks", "{}")
		if len(blocks.Content) != 2 || blocks.Content[0].Type != "text" || blocks.Content[1].Type != "image" {
			t.Errorf("blocks: %s", blocks.Raw)
		}
		img := client.Call("img", `{"w":2}`)
		if len(img.Content) != 1 || img.Content[0].MIMEType != "image/png" {
			t.Fatalf("img: %s", img.Raw)
		}
		decoded, err := png.Decode(bytes.NewReader(img.Content[0].Data))
		if err != nil || decoded.Bounds().Dx() != 2 {
			t.Errorf("img: %v", err)
		}
	},
	"g14": func(t *testing.T, r *run, client *prove.Client) {
		call := client.Send("tools/call", `{"name":"copy","arguments":{"items":["a","b"]},"_meta":{"progressToken":"p"}}`)
		call.Result()
		want := []string{`{"message":"a","progress":1,"progressToken":"p","total":2}`, `{"message":"b","progress":2,"progressToken":"p","total":2}`}
		got := client.Notes("notifications/progress")
		if len(got) != len(want) {
			t.Fatalf("progress: %s", got)
		}
		for i := range want {
			if !prove.SameJSON(got[i], []byte(want[i])) {
				t.Errorf("progress %d: %s, want %s", i, got[i], want[i])
			}
		}
		if !strings.Contains(client.Stderr(), "tool=who") || !strings.Contains(client.Stderr(), "name=x") {
			t.Errorf("the log does not hold what who logged:\n%s", client.Stderr())
		}
		exit, stderr := r.module.Run(t, r.pkg, nil)
		if exit != 1 || !strings.Contains(stderr, "TENANT") {
			t.Errorf("without TENANT: exit %d\n%s", exit, stderr)
		}
	},
	"g10": func(t *testing.T, r *run, _ *prove.Client) {
		text := prove.Read(t, filepath.Join(r.dir, "mcp_gen.go"))
		for _, part := range []string{"\tConfig Config", "\tClock  Clock"} {
			if !strings.Contains(text, part) {
				t.Errorf("MCPDeps lacks %q:\n%s", part, text)
			}
		}
	},
	"g21": sameThreeWays,
	"g22": func(t *testing.T, _ *run, client *prove.Client) {
		for _, how := range []string{"rpc", "wrapped-rpc"} {
			m := client.Begin("fail", fmt.Sprintf(`{"how":%q}`, how)).Wait()
			if m.Error == nil || m.Error.Code != -32602 || m.Error.Message != "rpc says no" {
				t.Errorf("%s: %s", how, m.Raw)
			}
		}
		waiting := client.Begin("fail", `{"how":"wait"}`)
		client.Notify("notifications/cancelled", `{"requestId":`+waiting.ID+`}`)
		// Answers come in their order only for calls that wait; this one shows
		// that the server still works.
		if result := client.Call("fail", `{"how":"ok"}`); result.Text() != "fine" {
			t.Errorf("after a cancelled call: %s", result.Raw)
		}
	},
	"g24": func(t *testing.T, _ *run, client *prove.Client) {
		m := client.Send("resources/read", `{"uri":"shop://products/abc"}`).Wait()
		if m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.Error.Message, "id") {
			t.Errorf("products/abc: %s", m.Raw)
		}
		m = client.Send("resources/read", `{"uri":"shop://products/-1"}`).Wait()
		if m.Error == nil || !strings.Contains(m.Error.Message, "negative id") {
			t.Errorf("products/-1: %s", m.Raw)
		}
		m = client.Send("resources/read", `{"uri":"shop://logo"}`).Wait()
		if blob := string(prove.Member(m.Result, "/contents/0/blob")); blob != `"AQI="` {
			t.Errorf("logo: %s", m.Raw)
		}
		m = client.Send("prompts/get", `{"name":"review","arguments":{"code":"x"}}`).Wait()
		if text := string(prove.Member(m.Result, "/messages/0/content/text")); text != `"Review (formal, 0): x"` {
			t.Errorf("review: %s", m.Raw)
		}
		m = client.Send("prompts/get", `{"name":"review","arguments":{"code":"x","tone":"rude"}}`).Wait()
		if m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.Error.Message, "tone") {
			t.Errorf("a rude tone: %s", m.Raw)
		}
		m = client.Send("prompts/get", `{"name":"chat","arguments":{"topic":"Go"}}`).Wait()
		var messages []json.RawMessage
		if err := json.Unmarshal(prove.Member(m.Result, "/messages"), &messages); err != nil || len(messages) != 2 {
			t.Errorf("chat: %s", m.Raw)
		}
	},
}

// sameThreeWays runs G21 with a vendor folder and with -trimpath, both of which
// hide where the sources of dependencies are.
func sameThreeWays(t *testing.T, r *run, _ *prove.Client) {
	want := map[string]string{}
	for _, name := range []string{"mcp_gen.go", "mcp_tools/send.json"} {
		want[name] = prove.Read(t, filepath.Join(r.dir, name))
	}
	for _, way := range []struct {
		name  string
		flags string
	}{{"vendor", "GOFLAGS=-mod=vendor"}, {"trimpath", "GOFLAGS=-mod=mod -trimpath"}} {
		dir := filepath.Join(t.TempDir(), "case")
		if err := os.CopyFS(dir, os.DirFS(r.dir)); err != nil {
			t.Fatal(err)
		}
		for name := range want {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if way.name == "vendor" {
			cmd := exec.Command("go", "mod", "vendor")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("go mod vendor: %v\n%s", err, out)
			}
		}
		g := prove.Generate(t, dir, append(goEnv(t), way.flags), ".", "-o", "server", "-runtime=import")
		if g.Exit != 0 {
			t.Errorf("%s: exit %d\n%s", way.name, g.Exit, g.Stderr)
			continue
		}
		for name, text := range want {
			if got := prove.Read(t, filepath.Join(dir, name)); got != text {
				t.Errorf("%s: %s differs:\n%s\nwant\n%s", way.name, name, got, text)
			}
		}
	}
}
