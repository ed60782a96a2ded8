package runtime

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	headerTime  = 10 * time.Second // for the header of a request to come in
	idleTime    = 2 * time.Minute  // for a connection without requests to stay
	headerBytes = 64 << 10         // of a request's header
	closeTime   = time.Second      // for calls to notice that they were cancelled
)

// httpServer serves one [Server] over HTTP.
type httpServer struct {
	server   *Server
	protocol *mcp.Server
	options  *httpOptions
	listener net.Listener
	http     *http.Server
	draining atomic.Bool

	endStreams context.CancelFunc // what clients keep open to hear of changes
	endCalls   context.CancelFunc // calls in flight
}

// serveHTTP serves Streamable HTTP (MCP 2026-07-28 and before, transports) until
// ctx ends, then lets calls in flight finish for the grace time.
func (s *Server) serveHTTP(ctx context.Context, o *httpOptions) error {
	h, err := s.listen(o)
	if err != nil {
		return err
	}
	return h.serve(ctx)
}

// serve answers until ctx ends, and drains.
func (h *httpServer) serve(ctx context.Context) error {
	log := h.server.log
	served := make(chan error, 1)
	go func() {
		if h.options.tlsCert != "" {
			served <- h.http.ServeTLS(h.listener, "", "")
		} else {
			served <- h.http.Serve(h.listener)
		}
	}()
	log.Info("listening", "url", h.url())
	if !h.options.inbound.on() && !isLoopback(h.listener.Addr()) {
		log.Warn("everyone who reaches this address can call the tools: see -auth-tokens and -auth-issuer")
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	h.drain()
	return nil
}

// listen makes the server and binds its address.
func (s *Server) listen(o *httpOptions) (*httpServer, error) {
	protocol, err := s.start()
	if err != nil {
		return nil, err
	}
	if _, err := s.tools.pages(); err != nil {
		return nil, err
	}
	pages, err := newPages(o)
	if err != nil {
		return nil, fmt.Errorf("-origin: %w", err)
	}
	in, err := s.newInbound(o)
	if err != nil {
		return nil, err
	}
	s.private = in != nil && !in.anonymousList
	h := &httpServer{server: s, protocol: protocol, options: o}
	var streams, calls context.Context
	streams, h.endStreams = context.WithCancel(context.Background())
	calls, h.endCalls = context.WithCancel(context.Background())
	protocol.AddReceivingMiddleware(in.again, endCallsWith(calls))

	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", h.ready)
	mux.Handle(o.pattern(), pages.guard(newEndpoint(streams, s, protocol, o, in)))
	in.publish(mux)
	h.http = &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	if o.tlsCert != "" {
		if h.http.TLSConfig, err = o.tlsConfig(s.log); err != nil {
			return nil, err
		}
	}
	if h.listener, err = net.Listen("tcp", o.addr); err != nil {
		return nil, fmt.Errorf("-addr: %w", err)
	}
	return h, nil
}

// url is the address of the endpoint on this host.
func (h *httpServer) url() string {
	scheme := "http"
	if h.options.tlsCert != "" {
		scheme = "https"
	}
	return scheme + "://" + h.listener.Addr().String() + h.options.path
}

// ready tells a load balancer whether to send requests here.
func (h *httpServer) ready(w http.ResponseWriter, _ *http.Request) {
	if h.draining.Load() {
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	}
	io.WriteString(w, "ok\n")
}

// drain takes no new connections, waits for calls in flight, and cancels those
// that outlast the grace time.
func (h *httpServer) drain() {
	h.server.log.Info("draining", "grace", h.options.grace)
	h.draining.Store(true)
	h.endStreams()
	defer h.endCalls()
	if h.shutdown(h.options.grace) == nil {
		h.closeSessions()
		return
	}
	h.server.log.Warn("cancelling calls that outlast the grace time")
	h.endCalls()
	if h.shutdown(closeTime) != nil {
		h.http.Close()
	}
	h.closeSessions()
}

func (h *httpServer) shutdown(within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	return h.http.Shutdown(ctx)
}

// closeSessions ends the sessions of clients that are still there. A function
// that heeds no cancellation is not waited for.
func (h *httpServer) closeSessions() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		for session := range h.protocol.Sessions() {
			session.Close()
		}
	}()
	select {
	case <-closed:
	case <-time.After(closeTime):
	}
}

// endCallsWith cancels what is being answered when ctx ends: calls of older
// clients go on when their connection is lost.
func endCallsWith(calls context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			ctx, cancel := endsWith(ctx, calls)
			defer cancel()
			return next(ctx, method, req)
		}
	}
}

func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// tlsConfig reads the certificate, and again when it was renewed.
func (h *httpOptions) tlsConfig(log *slog.Logger) (*tls.Config, error) {
	pair, err := watch(log, func() (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(h.tlsCert, h.tlsKey)
		return &pair, err
	}, h.tlsCert, h.tlsKey)
	if err != nil {
		return nil, fmt.Errorf("-tls-cert and -tls-key: %w", err)
	}
	return &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return pair.get(), nil },
	}, nil
}
