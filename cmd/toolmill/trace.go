package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed7346ab69/toolmill/cmd/toolmill/internal/conversation"
	"github.com/seed7346ab69/toolmill/parse/diag"
)

// traceFilter says which messages to print. What is empty chooses all.
type traceFilter struct {
	methods, tools, sessions []string
	json                     bool
}

func newTrace() *cobra.Command {
	var f traceFilter
	cmd := &cobra.Command{
		Use:   "trace FILE",
		Short: "print what a server recorded with -trace as a conversation",
		Long: `trace prints the messages that a server started with -trace FILE recorded, in
their order, laid out for reading: who sent it, when, what it asks for or what it
answers and after how long. Long texts and lists are cut and say so. FILE - is
standard input.

A filter keeps the answers to what it keeps. With -json each message is a line of
JSON: {"time", "from", "session", "method", "tool", "answer", "took", "message"};
answer is true of an answer, method and tool are then those of what it answers,
took is in seconds, text stands in place of what was no message.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("start a server with -trace FILE to make one", "trace takes one FILE, got %d", len(args))
			}
			return f.run(args[0], cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.methods, "method", nil, "print only this `METHOD`, such as tools/call; repeatable")
	flags.StringArrayVar(&f.tools, "tool", nil, "print only calls of this `TOOL`; repeatable")
	flags.StringArrayVar(&f.sessions, "session", nil, "print only this `SESSION` of HTTP; repeatable")
	flags.BoolVar(&f.json, "json", false, "print one JSON object a message")
	return cmd
}

// traced is a line of a trace, and what is known of it from those before.
type traced struct {
	Time    time.Time       `json:"time"`
	From    string          `json:"from"`
	Session string          `json:"session,omitempty"`
	Method  string          `json:"method,omitempty"`
	Tool    string          `json:"tool,omitempty"`
	Answer  bool            `json:"answer,omitempty"`
	Took    float64         `json:"took,omitempty"`
	Message json.RawMessage `json:"message,omitempty"`
	Text    string          `json:"text,omitempty"`
}

// asked is a request that waits for its answer, by the side that asked.
type asked struct{ from, session, id string }

func (f *traceFilter) run(name string, in io.Reader, stdout, stderr io.Writer) error {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return unreadable("servers write one with -trace FILE", "%v", err)
		}
		defer file.Close()
		in = file
	}
	out := bufio.NewWriter(stdout)
	defer out.Flush()
	open := map[asked]traced{}
	session := ""
	lines := bufio.NewReader(in)
	for number := 1; ; number++ {
		line, end := lines.ReadBytes('\n')
		if end != nil && !errors.Is(end, io.EOF) {
			return end
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var t traced
			if err := json.Unmarshal(line, &t); err != nil || t.From == "" {
				at := diag.Diagnostic{Pos: diag.Pos{File: name, Line: number, Col: 1}, Severity: diag.Warning, Code: "cut-line",
					Message: "the last line is cut off: the server was ended while it wrote"}
				if end == nil {
					at.Severity, at.Code, at.Message, at.Hint = diag.Error, "bad-trace", "this is no line of a trace", "servers write one with -trace FILE"
				}
				out.Flush()
				fmt.Fprintln(stderr, at)
				if end == nil {
					return &failure{exit: exitInput}
				}
				return nil
			}
			t.understand(open)
			if f.keeps(&t) {
				f.print(out, &t, &session)
			}
		}
		if end != nil {
			return nil
		}
	}
}

// understand finds out what a message asks for, or what it answers. The ids of
// either side are its own.
func (t *traced) understand(open map[asked]traced) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name json.RawMessage `json:"name"`
		} `json:"params"`
	}
	if json.Unmarshal(t.Message, &m) != nil {
		return
	}
	if m.Method != "" {
		t.Method = m.Method
		if m.Method == "tools/call" {
			_ = json.Unmarshal(m.Params.Name, &t.Tool) // what is no text names no tool
		}
		if m.ID != nil {
			open[asked{t.From, t.Session, string(m.ID)}] = *t
		}
		return
	}
	other := map[string]string{"client": "server", "server": "client"}[t.From]
	t.Answer = true
	// A session has its name only after the first answer.
	for _, session := range []string{t.Session, ""} {
		key := asked{other, session, string(m.ID)}
		if request, ok := open[key]; ok {
			delete(open, key)
			t.Method, t.Tool, t.Took = request.Method, request.Tool, max(0, t.Time.Sub(request.Time).Seconds())
			return
		}
	}
}

func (f *traceFilter) keeps(t *traced) bool {
	is := func(wanted []string, value string) bool { return len(wanted) == 0 || slices.Contains(wanted, value) }
	return is(f.methods, t.Method) && is(f.tools, t.Tool) && is(f.sessions, t.Session)
}

// print prints one message; session is that of the one before.
func (f *traceFilter) print(w io.Writer, t *traced, session *string) {
	if f.json {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(t) // to memory, of what was JSON
		return
	}
	if t.Session != *session {
		*session = t.Session
		if t.Session == "" {
			fmt.Fprint(w, "No session\n\n")
		} else {
			fmt.Fprintf(w, "Session %s\n\n", oneLine(t.Session))
		}
	}
	e := conversation.Event{From: t.From, To: "server", Body: t.Message}
	if t.From == "server" {
		e.To = "client"
	}
	what := oneLine(t.Method)
	if t.Tool != "" {
		what += " " + oneLine(t.Tool)
	}
	switch {
	case t.Message == nil:
		what, e.Body = "no message", fmt.Appendf(nil, "%q", t.Text)
	case t.Answer && t.Method == "":
		what = "answer"
	case t.Method == "":
		what = "batch"
	case t.Answer:
		what = fmt.Sprintf("answer to %s after %s", what, roundDuration(t.Took))
	}
	e.From, e.Line = oneLine(e.From), t.Time.Format("15:04:05.000")+"  "+what
	conversation.Show(w, e)
}

// roundDuration is seconds with three digits that count.
func roundDuration(seconds float64) time.Duration {
	d := time.Duration(seconds * float64(time.Second))
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}
