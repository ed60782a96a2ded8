package demo

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/openapi"
)

// Library is the example document.
//
//go:embed library.yaml
var Library []byte

// module is the module path of the generated server.
const module = "example.com/corner-library"

// ErrNoGo means that there is no go command to build with.
var ErrNoGo = errors.New("the go command is not in PATH")

// Demo is a server that was generated and built.
type Demo struct {
	doc    *openapi.Document
	binary string
	tools  int
	files  int
}

// Build generates the server of the example document in dir and compiles it.
// It calls step when a phase begins.
func Build(ctx context.Context, dir string, step func(format string, args ...any)) (*Demo, error) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return nil, ErrNoGo
	}
	step("generating")
	source := filepath.Join(dir, "library.yaml")
	if err := os.WriteFile(source, Library, 0o644); err != nil {
		return nil, err
	}
	d := &Demo{binary: filepath.Join(dir, "corner-library")}
	if goruntime.GOOS == "windows" {
		d.binary += ".exe"
	}
	output := filepath.Join(dir, "server")
	if err := d.generate(ctx, source, output); err != nil {
		return nil, err
	}
	step("building with the go command")
	return d, build(ctx, goCommand, output, d.binary)
}

// generate does what "toolmill generate library.yaml -o server -module …" does.
func (d *Demo) generate(ctx context.Context, source, output string) error {
	var diags diag.List
	d.doc = openapi.Load(ctx, source, openapi.Options{}, &diags)
	server := openapi.Parse(ctx, source, openapi.Options{}, &diags)
	if d.doc == nil || server == nil {
		var why strings.Builder
		_ = diags.Print(&why)
		return fmt.Errorf("the example document does not load:\n%s", why.String())
	}
	tree, err := gen.Generate(server, gen.Options{Module: module})
	if err != nil {
		return err
	}
	if _, err := tree.Write(output); err != nil {
		return err
	}
	d.tools, d.files = len(server.Tools()), len(tree.Files)
	return nil
}

// build compiles the module in dir. The modules that it needs are those that
// toolmill itself was built from, so the go command has them.
func build(ctx context.Context, goCommand, dir, binary string) error {
	cmd := exec.CommandContext(ctx, goCommand, "build", "-o", binary, ".")
	cmd.Dir = dir
	// Settings of a surrounding workspace or vendor folder do not apply here.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, bytes.TrimSpace(out))
	}
	return nil
}

// Play starts the API and the server, holds the conversation and prints it. The
// command is what its last lines call toolmill.
func (d *Demo) Play(ctx context.Context, w io.Writer, command string) error {
	var events log
	api, err := startUpstream(ctx, d.doc, &events)
	if err != nil {
		return err
	}
	defer api.close()

	fmt.Fprintf(w, opening, d.tools, d.files)
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, d.binary)
	cmd.Env = append(os.Environ(), "BASE_URL="+api.url)
	cmd.Stderr = &stderr
	if err := play(ctx, w, &mcp.CommandTransport{Command: cmd}, &events); err != nil {
		return fmt.Errorf("%w\nthe server said:\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	fmt.Fprintf(w, closing, command)
	return nil
}

const opening = `The Corner Library has an HTTP API and an OpenAPI document that describes it (the
document ships inside toolmill). From the document toolmill just generated a
program, %d tools in %d files of Go, and the go command compiled it.

That program is an MCP server. MCP, the Model Context Protocol, is how an AI
application (the client) offers a language model things to do: it starts the
server and the two exchange JSON messages over standard input and output. Below
is every message of one such conversation, laid out for reading (each is really
one line), with long ones cut where it says so. The API is played by toolmill:
it answers with the examples in the document.

`

const closing = `That was a complete MCP server, from document to conversation. Now your own:

    %[1]s list api.yaml
    %[1]s generate api.yaml -o ./server -module example.com/my-server
    cd server && go build
`
