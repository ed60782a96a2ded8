//go:build unix

package speed

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// empty is the reference: a server of the SDK with nothing in it.
const empty = `package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	s := mcp.NewServer(&mcp.Implementation{Name: "empty", Version: "1"}, nil)
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		panic(err)
	}
}
`

// idle is the same server, linked with the validator of arguments. That compiles the
// metaschemas of all drafts before main, so that no server that checks arguments
// starts sooner.
var idle = strings.Replace(empty, "import (", "import (\n\t_ \"github.com/santhosh-tekuri/jsonschema/v6\"", 1)

// BenchmarkStart measures from the start of a generated server's process to its
// complete tools/list, in turns with an empty server of the SDK, and with one that
// links the validator and does nothing: GitHub with 1,223 tools, Docker's with 106.
func BenchmarkStart(b *testing.B) {
	for _, bc := range []struct {
		name, document string
		tools          int
	}{
		{"github", "github/api.github.com.json", 1223},
		{"docker", "docker-engine/swagger.yaml", 106},
	} {
		b.Run(bc.name, func(b *testing.B) {
			document := prove.Shared(b, "corpus", filepath.FromSlash(bc.document))
			dir := b.TempDir()
			run(b, dir, prove.Command(b), "generate", document, "-o", dir, "-module", "example.com/speed")
			run(b, dir, "go", "build", "-o", "full.bin", ".")
			for name, source := range map[string]string{"empty": empty, "idle": idle} {
				build(b, dir, name, source)
			}
			var ours, theirs, least []time.Duration
			for b.Loop() {
				for range 10 {
					ours = append(ours, startAndList(b, filepath.Join(dir, "full.bin"), bc.tools))
					theirs = append(theirs, startAndList(b, filepath.Join(dir, "empty.bin"), 0))
					least = append(least, startAndList(b, filepath.Join(dir, "idle.bin"), 0))
				}
			}
			us, them, idle := median(ours), median(theirs), median(least)
			b.ReportMetric(us.Seconds()*1e3, "ms/start")
			b.ReportMetric(them.Seconds()*1e3, "ms/empty")
			b.ReportMetric(idle.Seconds()*1e3, "ms/validator")
			b.ReportMetric(us.Seconds()/them.Seconds(), "x/empty")
			b.ReportMetric(us.Seconds()/idle.Seconds(), "x/validator")
		})
	}
}

// build compiles a program in a folder of the module at dir.
func build(b *testing.B, dir, name, source string) {
	b.Helper()
	if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name, "main.go"), []byte(source), 0o644); err != nil {
		b.Fatal(err)
	}
	run(b, dir, "go", "build", "-o", name+".bin", "./"+name)
}

// startAndList runs a server until it has answered tools/list with that many
// tools.
func startAndList(b *testing.B, program string, tools int) time.Duration {
	b.Helper()
	start := time.Now()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "BASE_URL=http://127.0.0.1:1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewReaderSize(out, 1<<20)
	ask := func(id int, rest string) []byte {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", id, rest)
		line, err := lines.ReadBytes('\n')
		if err != nil {
			b.Fatal(err)
		}
		return line
	}
	ask(1, `"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"speed","version":"1"}}`)
	io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	list := ask(2, `"method":"tools/list"`)
	took := time.Since(start)
	if n := bytes.Count(list, []byte(`"inputSchema":`)); n != tools || strings.Contains(string(list), "nextCursor") {
		b.Fatalf("the list holds %d tools, want %d in one page", n, tools)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return took
}

func run(b *testing.B, dir, name string, args ...string) {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
