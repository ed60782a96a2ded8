package runtime

import (
	"context"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Definition is what the generated code knows: the registry of a server.
type Definition struct {
	Name         string // "petstore"
	Title        string // for people
	Version      string // the document's
	Instructions string // for the model, may be empty
	EnvPrefix    string // "PETSTORE_": stands before every environment variable
	Upstreams    []Upstream
	Detached     bool // every tool has upstreams of its own, so that none need be set
	Auth         []Auth
	Schemas      fs.FS // tools/<name>.json: the object tools/list returns for a tool
	Tools        []Tool
	// Mock holds mock/<name>.json, what the document says of a tool's answers; nil:
	// the server cannot do without its upstream.
	Mock fs.FS
	// Observe makes the server's observer, or nil when the environment asks for no
	// telemetry; nil: the server has none.
	Observe func(name, version string, log *slog.Logger) (Observer, error)

	environment []string // variables that packages read; see [Server.Add]
}

// Tool is one entry of the registry.
type Tool struct {
	Name   string
	Group  string // the document's tag, where it has several
	File   string // in tools/, only when it is not <Name>.json
	Handle Handler
	// Request is the method and path of the request that it sends: "GET /pets".
	// It serves search; what is sent the handler says.
	Request string
	// Select keeps only these fields of each answer, as the argument _fields would:
	// "items[].id". Empty: all.
	Select []string
	// Timeout of one call of a Go function; 0 is Config.Timeout.
	Timeout time.Duration
	// Scopes are what the access token of a caller over HTTP needs: one of these
	// lists, each separated by spaces (RFC 6749, 3.3). None: any caller may.
	Scopes []string

	// Confirm has people asked before a call unless the operator says otherwise.
	Confirm bool

	local   bool  // calls a Go function, not the upstream
	schemas fs.FS // of a local tool: mcp_tools/<name>.json
}

// Upstream is a server of the document (OpenAPI 3.1, Server Object).
type Upstream struct {
	URL       string // may hold {variables}
	Variables []Variable
}

// Variable is a part of an upstream's URL that the operator may set (OpenAPI
// 3.1, Server Variable Object).
type Variable struct {
	Name    string
	Default string
	Enum    []string // allowed values; empty: any
}

// AuthKind says how a credential is applied.
type AuthKind int

// The kinds. OAuth 2 flows without client credentials, and openIdConnect, are
// Bearer: the operator supplies a token.
const (
	APIKey AuthKind = iota
	Basic
	Bearer
	ClientCredentials
	MutualTLS
)

// Auth is a security scheme (OpenAPI 3.1, Security Scheme Object).
type Auth struct {
	Name     string // its key in the document
	Kind     AuthKind
	In       string // APIKey: "header", "query" or "cookie"
	Wire     string // APIKey: the header, parameter or cookie
	TokenURL string // ClientCredentials
	// Env is what the scheme's environment variables end in, where it is not its
	// Name in capitals because another scheme has that.
	Env string
}

// Server answers MCP requests for one [Definition].
type Server struct {
	config    Config
	def       Definition
	log       *slog.Logger
	redactor  *Redactor
	egress    egress   // what calls share to reach the upstream
	tools     *toolset // read by start
	catalog   *catalog // search mode; nil: all tools are listed
	packages  []Package
	kept      kept     // answers that were cut
	changing  changing // tools that come and go
	cleanups  []func() // of providers, in the order in which they ran
	limiter   *limiter
	held      atomic.Int64 // bytes of answers; see room.go
	questions *questions   // put to people
	trace     *trace       // nil: no message is recorded
	observer  Observer     // nil: no telemetry
	declare   []func(*mcp.ServerCapabilities)
	private   bool // lists are only for callers with a token
	start     func() (*mcp.Server, error)
}

// NewServer returns a server. It is cheap: nothing is read before [Server.Run].
func NewServer(config Config, def Definition) *Server {
	if config.Mock {
		config.BaseURL = mockBase
	}
	s := &Server{config: config.withDefaults(), def: def, redactor: NewRedactor(), questions: newQuestions(config.ConfirmKey)}
	s.limiter = newLimiter(s.config.Limits)
	s.redactor.Add(config.ConfirmKey)
	for _, a := range def.Auth {
		s.redactor.Add(config.Credentials[a.Name].secrets()...)
	}
	handler := slog.Default().Handler()
	if config.Log != nil {
		handler = config.Log.Handler()
	}
	s.log = slog.New(redactHandler{handler, s.redactor})
	if config.Trace != nil {
		s.trace = &trace{out: config.Trace, redactor: s.redactor, log: s.log}
	}
	s.start = sync.OnceValues(s.protocol)
	return s
}

// Run serves one client until it disconnects, which is no error, or ctx ends.
func (s *Server) Run(ctx context.Context, transport mcp.Transport) error {
	server, err := s.start()
	if err != nil {
		return err
	}
	if lines, ok := transport.(*lineTransport); ok {
		if !s.changing.declared() {
			lines.pages = s.tools.pages
			ctx = context.WithValue(ctx, insertsPages{}, true)
		}
		lines.trace = s.trace
	}
	running, end := context.WithCancel(ctx)
	defer end()
	// tools/list is prepared while the client still shakes hands. Without it
	// there is no server.
	go func() {
		if _, err := s.tools.pages(); err != nil {
			end()
		}
	}()
	err = server.Run(running, transport)
	if _, broken := s.tools.pages(); broken != nil {
		return broken
	}
	return err
}

// check reports why no call could work.
func (s *Server) check() error {
	if (s.def.Detached || !s.def.callsAPI()) && s.config.BaseURL == "" {
		return nil
	}
	return s.checkUpstreams()
}

// protocol makes the SDK's server, which all sessions share.
func (s *Server) protocol() (*mcp.Server, error) {
	var err error
	if s.config.Offer.isSet() {
		if s.def.Tools, err = s.config.Offer.apply(&s.def); err != nil {
			return nil, err
		}
	}
	if s.tools, err = newToolset(&s.def, s.log); err != nil {
		return nil, err
	}
	s.extend(s.tools)
	if s.catalog, err = s.newCatalog(); err != nil {
		return nil, err
	}
	s.catalog.narrow(s.tools)
	options := &mcp.ServerOptions{
		Instructions: s.def.Instructions,
		SetCacheable: s.setCacheable,
		Logger:       slog.New(levelHandler{s.log.Handler(), slog.LevelWarn}),
		// No KeepAlive: it pings, which 2026-07-28 forbids, and ends quiet sessions.
	}
	if err := s.offer(options); err != nil {
		return nil, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: s.def.Name, Title: s.def.Title, Version: s.def.Version}, options)
	s.observe()
	server.AddSendingMiddleware(s.redactSent)
	server.AddReceivingMiddleware(soundErrors, s.observed, s.middleware(server))
	if err := s.open(server); err != nil {
		return nil, err
	}
	return server, nil
}

// credential returns what the operator gave for a security scheme.
func (s *Server) credential(scheme string) Credential { return s.config.Credentials[scheme] }

// redact replaces every known secret in text.
func (s *Server) redact(text string) string { return s.redactor.Redact(text) }
