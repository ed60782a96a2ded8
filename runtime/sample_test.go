package runtime

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// sampleEnv makes the test binary a server: see TestMain.
const sampleEnv = "TOOLMILL_TEST_SERVER"

// TestMain runs the tests, or, when a test has started this binary again, the
// server under test: Main itself, in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv(sampleEnv) != "" {
		Main(func(config Config) *Server { return NewServer(config, sample()) })
	}
	os.Exit(m.Run())
}

// sampleTool is one tool of the server that these tests run.
type sampleTool struct {
	schema string // inputSchema
	extra  string // further members of the tool object
	handle Handler
}

func echo(_ context.Context, c *Call) (*Result, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, name := range []string{"id", "text", "on", "list", "body"} {
		if arg := c.Arg(name); arg.Value != nil {
			if b.Len() > 1 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%q:%s", name, arg.Value)
		}
	}
	b.WriteByte('}')
	return JSON(b.Bytes()), nil
}

var sampleTools = map[string]sampleTool{
	"echo": {
		schema: `{"type":"object","properties":{
			"id":{"type":"integer","description":"Number of the thing."},
			"text":{"type":"string","maxLength":20},
			"on":{"type":"boolean"},
			"list":{"type":"array","items":{"type":"integer"}},
			"body":{"type":"object"}},
			"required":["id"],"additionalProperties":false}`,
		handle: echo,
	},
	"array":  {handle: func(context.Context, *Call) (*Result, error) { return JSON(json.RawMessage(`[1,2]`)), nil }},
	"panics": {handle: func(context.Context, *Call) (*Result, error) { panic("at 10.0.0.1 with hunter2-secret") }},
	"fails": {handle: func(context.Context, *Call) (*Result, error) {
		return nil, errors.New("at 10.0.0.1 with hunter2-secret")
	}},
	"nothing": {handle: func(context.Context, *Call) (*Result, error) { return nil, nil }},
	"leaks":   {handle: func(_ context.Context, c *Call) (*Result, error) { return Text("key is hunter2-secret"), nil }},
	"prints": {handle: func(context.Context, *Call) (*Result, error) {
		fmt.Println("not a message")
		fmt.Fprintln(os.NewFile(1, "stdout"), "neither")
		return Text("printed"), nil
	}},
	"waits": {handle: func(ctx context.Context, c *Call) (*Result, error) {
		c.progress(ctx, 1, 2, "half")
		<-ctx.Done()
		return nil, ctx.Err()
	}},
	"promises": {
		extra:  `,"outputSchema":{"type":"object"}`,
		handle: func(context.Context, *Call) (*Result, error) { return Text("plain"), nil },
	},
}

// sample is the definition of a server with those tools.
func sample() Definition {
	def := Definition{
		Name: "sample", Title: "Sample", Version: "1.2.3", Instructions: "Use echo.",
		EnvPrefix: "SAMPLE_",
		Upstreams: []Upstream{{URL: "https://api.test/{region}", Variables: []Variable{{Name: "region", Default: "eu", Enum: []string{"eu", "us"}}}}},
		Auth:      []Auth{{Name: "api-key", Kind: APIKey, In: "header", Wire: "X-Key"}},
	}
	files := fstest.MapFS{}
	for name, t := range sampleTools {
		def.Tools = append(def.Tools, Tool{Name: name, Handle: t.handle})
		files["tools/"+name+".json"] = &fstest.MapFile{Data: toolFile(name, t.schema, t.extra)}
	}
	def.Schemas = files
	return def
}

// toolFile is a tool object as the generator prints it.
func toolFile(name, schema, extra string) []byte {
	if schema == "" {
		schema = `{"type":"object","additionalProperties":false}`
	}
	compact := fmt.Sprintf(`{"name":%q,"description":"A \"tool\".","inputSchema":%s%s}`, name, schema, extra)
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(compact), "", "  "); err != nil {
		panic(name + ": " + err.Error())
	}
	return append(pretty.Bytes(), '\n')
}

// oneTool is a definition with a single tool that echoes.
func oneTool(schema string) Definition {
	return Definition{
		Name: "one", Version: "1",
		Upstreams: []Upstream{{URL: "https://api.test"}},
		Tools:     []Tool{{Name: "tool", Handle: echo}},
		Schemas:   fs.FS(fstest.MapFS{"tools/tool.json": {Data: toolFile("tool", schema, "")}}),
	}
}

// child is the server in a process of its own, spoken to in lines.
type child struct {
	t      testing.TB
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr *bytes.Buffer
}

// start starts this binary as the server.
func start(t testing.TB, env []string, args ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	c := &child{t: t, cmd: exec.CommandContext(ctx, self, args...), stderr: new(bytes.Buffer)}
	c.cmd.Env = append(append(os.Environ(), sampleEnv+"=1"), env...)
	c.cmd.Stderr = c.stderr
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdout = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// send writes lines.
func (c *child) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.stdin, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// read returns the next message.
func (c *child) read() string {
	c.t.Helper()
	line, err := c.stdout.ReadString('\n')
	if err != nil {
		c.t.Fatalf("no answer: %v; standard error:\n%s", err, c.stderr)
	}
	if !json.Valid([]byte(line)) {
		c.t.Fatalf("not a message: %q", line)
	}
	return strings.TrimSuffix(line, "\n")
}

// ask sends one line and returns the answer to it.
func (c *child) ask(line string) string {
	c.t.Helper()
	c.send(line)
	return c.read()
}

// initialize does the handshake of the revisions before 2026-07-28.
func (c *child) initialize(version string) string {
	c.t.Helper()
	answer := c.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`, version))
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return answer
}

// close ends the input and returns the exit code and the rest of the output.
func (c *child) close() (code int, rest string) {
	c.t.Helper()
	c.stdin.Close()
	out, _ := io.ReadAll(c.stdout)
	_ = c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode(), string(out)
}

// meta is what each request of 2026-07-28 carries.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"test","version":"0"}}`

// call is a tools/call of the revisions with a handshake.
func callLine(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// result is the part of an answer that tests look at.
type result struct {
	Result struct {
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		IsError           bool
		ResultType        string
	}
	Error *struct {
		Code    int
		Message string
	}
}

// quiet is a logger for tests that look elsewhere.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func parse(t *testing.T, line string) result {
	t.Helper()
	var r result
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return r
}
