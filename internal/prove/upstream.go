package prove

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Upstream is a recording HTTP server. A process started with its [Upstream.Env]
// reaches it under every host name, over http and https, because it is that
// process's proxy; it also answers on its own URL. It works on bytes rather
// than with net/http's server, so that a request is known exactly as it was
// sent.
type Upstream struct {
	URL string // http://127.0.0.1:port

	listener net.Listener
	ca       *authority
	caFile   string

	mu     sync.Mutex
	answer func(*Request) Answer
	seen   []*Request
	conns  map[net.Conn]bool
	closed bool
	done   sync.WaitGroup
}

// Request is one request as it arrived.
type Request struct {
	Method string
	URL    string // https://api.test/v1/a?b=c: scheme and host of the connection, target as sent
	Target string // /v1/a?b=c, byte for byte
	Head   string // request line and header lines as sent, each ending in \n instead of \r\n
	Header http.Header
	Body   []byte          // without chunk framing
	Gone   <-chan struct{} // closed when an unanswered request was given up by its sender
}

// Answer is what an Upstream sends back. The zero Answer is 200 with an empty
// body.
type Answer struct {
	// Raw is status line, header lines, an empty line and the body. Lines of
	// the head may end in \n. A Content-Length is added unless the head has a
	// framing of its own, after which the connection is closed.
	Raw string
	// Hang sends nothing and waits until the caller gives up.
	Hang bool
	// Stream writes the whole response itself; the connection is closed after.
	Stream func(io.Writer) error
}

// NewUpstream starts an Upstream that answers every request with the zero
// Answer and ends with the test.
func NewUpstream(tb testing.TB) *Upstream {
	tb.Helper()
	ca, err := theAuthority()
	if err != nil {
		tb.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	u := &Upstream{
		URL: "http://" + listener.Addr().String(), listener: listener, ca: ca,
		caFile: filepath.Join(tb.TempDir(), "ca.pem"),
		answer: func(*Request) Answer { return Answer{} },
		conns:  map[net.Conn]bool{},
	}
	if err := os.WriteFile(u.caFile, ca.pem, 0o600); err != nil {
		tb.Fatal(err)
	}
	u.done.Go(u.accept)
	tb.Cleanup(u.close)
	return u
}

// Env returns the environment that sends all traffic of a Go program here.
func (u *Upstream) Env() []string {
	return []string{"HTTP_PROXY=" + u.URL, "HTTPS_PROXY=" + u.URL, "NO_PROXY=", "SSL_CERT_FILE=" + u.caFile}
}

// Handle sets the function that answers from now on.
func (u *Upstream) Handle(answer func(*Request) Answer) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answer = answer
}

// Reply makes the Upstream answer every request from now on with a.
func (u *Upstream) Reply(a Answer) { u.Handle(func(*Request) Answer { return a }) }

// Take returns the requests seen since the last Take, in order of arrival.
func (u *Upstream) Take() []*Request {
	u.mu.Lock()
	defer u.mu.Unlock()
	seen := u.seen
	u.seen = nil
	return seen
}

func (u *Upstream) close() {
	u.listener.Close()
	u.mu.Lock()
	u.closed = true
	for conn := range u.conns {
		conn.Close()
	}
	u.mu.Unlock()
	u.done.Wait()
}

func (u *Upstream) accept() {
	for {
		conn, err := u.listener.Accept()
		if err != nil {
			return
		}
		u.mu.Lock()
		if u.closed {
			u.mu.Unlock()
			conn.Close()
			return
		}
		u.conns[conn] = true
		u.mu.Unlock()
		u.done.Go(func() {
			u.serve(conn, "http", conn.LocalAddr().String())
			conn.Close()
			u.mu.Lock()
			delete(u.conns, conn)
			u.mu.Unlock()
		})
	}
}

// serve answers the requests of one connection until one of the sides ends it.
func (u *Upstream) serve(conn net.Conn, scheme, host string) {
	var raw bytes.Buffer
	in := bufio.NewReader(io.TeeReader(conn, &raw))
	for {
		raw.Reset()
		parsed, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if parsed.Method == http.MethodConnect {
			u.tunnel(conn, parsed.Host)
			return
		}
		body, err := io.ReadAll(parsed.Body)
		if err != nil {
			return
		}
		gone := make(chan struct{})
		req := record(raw.Bytes(), parsed, body, scheme, host)
		req.Gone = gone
		u.mu.Lock()
		u.seen = append(u.seen, req)
		answer := u.answer
		u.mu.Unlock()
		if !answer(req).send(conn, in, gone, parsed.Method) {
			return
		}
	}
}

// tunnel speaks TLS in the name of the host that a CONNECT asked for.
func (u *Upstream) tunnel(conn net.Conn, address string) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	secure := tls.Server(conn, &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return u.ca.certificate(host) },
	})
	authority := host
	if port != "443" {
		authority = address
	}
	u.serve(secure, "https", authority)
}

func record(raw []byte, parsed *http.Request, body []byte, scheme, host string) *Request {
	head, _, _ := strings.Cut(string(raw), "\r\n\r\n")
	line, _, _ := strings.Cut(head, "\r\n")
	target := strings.TrimSuffix(strings.TrimPrefix(line, parsed.Method+" "), " HTTP/1.1")
	if absolute, err := url.Parse(target); err == nil && absolute.Host != "" && !strings.HasPrefix(target, "/") {
		// A plain http request through a proxy names the host in its line.
		host = absolute.Host
		target = strings.TrimPrefix(target, absolute.Scheme+"://"+host)
	}
	return &Request{
		Method: parsed.Method,
		URL:    scheme + "://" + host + target,
		Target: target,
		Head:   strings.ReplaceAll(head, "\r\n", "\n") + "\n",
		Header: parsed.Header,
		Body:   body,
	}
}

// send writes the answer and reports whether the connection can go on.
func (a Answer) send(conn net.Conn, in io.Reader, gone chan struct{}, method string) bool {
	switch {
	case a.Hang:
		_, err := in.Read(make([]byte, 1))
		if err != nil {
			close(gone)
		}
		return false
	case a.Stream != nil:
		if err := a.Stream(conn); err != nil && errors.Is(err, net.ErrClosed) {
			close(gone)
		}
		return false
	}
	raw, framed := frame(a.Raw, method)
	if _, err := io.WriteString(conn, raw); err != nil {
		return false
	}
	return !framed
}

// frame completes a response and reports whether it framed its body itself.
func frame(raw, method string) (string, bool) {
	if raw == "" {
		raw = "HTTP/1.1 200 OK\n\n"
	}
	head, body, _ := strings.Cut(strings.Replace(raw, "\r\n\r\n", "\n\n", 1), "\n\n")
	head = strings.TrimRight(head, "\r\n")
	head = strings.ReplaceAll(strings.ReplaceAll(head, "\r\n", "\n"), "\n", "\r\n")
	lower := strings.ToLower(head)
	framed := strings.Contains(lower, "\r\ncontent-length:") || strings.Contains(lower, "\r\ntransfer-encoding:")
	if framed {
		return head + "\r\nConnection: close\r\n\r\n" + body, true
	}
	code, _, _ := strings.Cut(strings.TrimPrefix(head, "HTTP/1.1 "), " ")
	if code != "204" && code != "304" {
		head += "\r\nContent-Length: " + strconv.Itoa(len(body))
	}
	if method == http.MethodHead {
		body = ""
	}
	return head + "\r\n\r\n" + body, false
}
