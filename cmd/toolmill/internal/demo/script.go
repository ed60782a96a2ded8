package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/cmd/toolmill/internal/conversation"
)

// step is one exchange: what a person should know before reading it, and what
// the client does.
type step struct {
	title string
	intro string
	do    func(ctx context.Context, c *talk) error
}

// talk is the client's side.
type talk struct {
	transport mcp.Transport
	session   *mcp.ClientSession
}

var script = []step{{
	title: "Hello",
	intro: `The client starts the server as a child process and writes to its standard
input. Both say who they are and which version of the protocol they speak.`,
	do: func(ctx context.Context, c *talk) (err error) {
		client := mcp.NewClient(&mcp.Implementation{Name: "toolmill-demo", Version: "1"},
			&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
		// The handshake of this version is the one that most clients use.
		c.session, err = client.Connect(ctx, c.transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		return err
	},
}, {
	title: "What can you do?",
	intro: `The client asks for the tools. Each operation of the API has become one: a name,
a description that a language model can read, and a JSON Schema of the arguments.`,
	do: func(ctx context.Context, c *talk) error {
		_, err := c.session.ListTools(ctx, nil)
		return err
	},
}, {
	title: "A call that succeeds",
	intro: `A user asks: "Is book 42 on its shelf?" The model picks the tool getBook. The
server turns the call into an HTTP request to the API, and the answer of the
API into a result.`,
	do: call("getBook", `{"bookId":42}`, false),
}, {
	title: "A call that the API refuses",
	intro: `The model asks for a book that does not exist. The API says 404. For MCP that is
no broken call but a result with "isError": true, so that the model reads what
the API said and can try something else.`,
	do: call("getBook", `{"bookId":99}`, true),
}, {
	title: "A call with a bad argument",
	intro: `The model wants to borrow a book for 90 days. The document allows 28. The server
knows that, says what is wrong, and the API never hears of it: between call and
result there is no HTTP request.`,
	do: call("borrowBook", `{"bookId":42,"body":{"member":"M-1007","days":90}}`, true),
}}

// call makes a step that calls a tool and expects success or a result with isError.
func call(tool, arguments string, isError bool) func(context.Context, *talk) error {
	return func(ctx context.Context, c *talk) error {
		result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		if err != nil {
			return err
		}
		if result.IsError != isError {
			return fmt.Errorf("%s %s: isError is %v, want %v", tool, arguments, result.IsError, isError)
		}
		return nil
	}
}

// play runs the script and prints it. What happened is printed even if a step fails.
func play(ctx context.Context, w io.Writer, transport mcp.Transport, log *log) error {
	c := &talk{transport: &recordingTransport{transport, log}}
	defer func() {
		if c.session != nil {
			_ = c.session.Close()
		}
	}()
	for i, s := range script {
		fmt.Fprintf(w, "%d. %s\n\n%s\n\n", i+1, s.title, s.intro)
		err := s.do(ctx, c)
		for _, e := range log.take() {
			conversation.Show(w, e)
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}
