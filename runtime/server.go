package runtime

import (
	"io/fs"
	"log/slog"
)

// Definition is what the generated code knows: the registry of a server.
type Definition struct {
	Name         string // "petstore"
	Title        string // for people
	Version      string // the document's
	Instructions string // for the model, may be empty
	EnvPrefix    string // "PETSTORE_": stands before every environment variable
	Upstreams    []Upstream
	Auth         []Auth
	Schemas      fs.FS // tools/<name>.json: the object tools/list returns for a tool
	Tools        []Tool
}

// Tool is one entry of the registry.
type Tool struct {
	Name   string
	File   string // in tools/, only when it is not <Name>.json
	Handle Handler
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
}

// Server answers MCP requests for one [Definition].
type Server struct {
	config   Config
	def      Definition
	log      *slog.Logger
	redactor *Redactor
}

// NewServer returns a server. It is cheap: nothing is read before [Server.Run].
func NewServer(config Config, def Definition) *Server {
	s := &Server{config: config, def: def, log: config.Log, redactor: NewRedactor()}
	if s.log == nil {
		s.log = slog.Default()
	}
	return s
}

// credential returns what the operator gave for a security scheme.
func (s *Server) credential(scheme string) Credential { return s.config.Credentials[scheme] }

// redact replaces every known secret in text.
func (s *Server) redact(text string) string { return s.redactor.Redact(text) }
