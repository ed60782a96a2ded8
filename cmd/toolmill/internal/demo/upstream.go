package demo

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/cmd/toolmill/internal/conversation"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/openapi"
)

// upstream plays the API: it answers with the examples of the document. A path
// argument that is the parameter's own example is known and gets the example of
// the first 2xx response; any other gets that of the first 4xx.
type upstream struct {
	server *http.Server
	url    string
	log    *log
}

// startUpstream serves the document's operations on a free local port.
func startUpstream(ctx context.Context, doc *openapi.Document, log *log) (*upstream, error) {
	mux := http.NewServeMux()
	for _, op := range doc.Operations {
		mux.HandleFunc(op.Method+" "+op.Template, answer(op))
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	u := &upstream{url: "http://" + listener.Addr().String(), log: log}
	u.server = &http.Server{Handler: u.record(mux)}
	go u.server.Serve(listener) // ends with Close
	return u, nil
}

func (u *upstream) close() { _ = u.server.Close() }

// record notes what the API saw and said.
func (u *upstream) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		u.log.add(conversation.Event{From: "server", To: "API", Line: r.Method + " " + r.URL.RequestURI(), Body: body})
		next.ServeHTTP(&recorder{ResponseWriter: w, log: u.log, status: http.StatusOK}, r)
	})
}

// recorder notes a response, which the handlers here write at once.
type recorder struct {
	http.ResponseWriter
	log    *log
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(body []byte) (int, error) {
	r.log.add(conversation.Event{From: "API", To: "server", Body: body,
		Line: fmt.Sprintf("%d %s", r.status, http.StatusText(r.status))})
	return r.ResponseWriter.Write(body)
}

func answer(op *openapi.Operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		class := "2"
		for _, p := range op.Params {
			if p.Kin.In == "path" && r.PathValue(p.Kin.Name) != p.Node.Get("example").Text() {
				class = "4"
			}
		}
		for _, response := range op.Responses {
			if !strings.HasPrefix(response.Status, class) {
				continue
			}
			status, _ := strconv.Atoi(response.Status)
			var body []byte
			for _, m := range response.Media[:min(1, len(response.Media))] {
				w.Header().Set("Content-Type", m.Type)
				body = node.AppendJSON(nil, m.Node.Get("example"))
			}
			w.WriteHeader(status)
			_, _ = w.Write(body)
			return
		}
		http.Error(w, "the document has no example", http.StatusNotImplemented)
	}
}
