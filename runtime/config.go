package runtime

import (
	"log/slog"
	"net/http"
	"time"
)

// Config is what the operator decides. The zero Config works for a server whose
// document names an upstream.
type Config struct {
	// BaseURL replaces the document's servers for every tool.
	BaseURL string
	// Upstream chooses among the document's servers, 0 is the first.
	Upstream int
	// Variables are values of server variables by name.
	Variables map[string]string
	// Credentials by the name of the security scheme.
	Credentials map[string]Credential
	// Timeout of one call, retries included; 0 is a minute.
	Timeout time.Duration
	// MaxResponse is how many bytes of a response the model is given; 0 is 100,000.
	MaxResponse int
	// MaxBody is how many bytes of a response are read at most; 0 is 64 MiB.
	MaxBody int64
	// Files is the folder that file arguments may name files in; empty: none may.
	Files string
	// PassHeaders are names of headers of the inbound HTTP request that go to the upstream.
	PassHeaders []string
	// StrictArguments refuses arguments that would otherwise be repaired.
	StrictArguments bool
	// HTTPClient sends the requests; nil: one made for the purpose.
	HTTPClient *http.Client
	// Log gets what an operator should know, secrets redacted; nil: slog.Default().
	Log *slog.Logger
}

// Credential holds what one security scheme needs; which fields count depends
// on [Auth.Kind].
type Credential struct {
	Key          string // APIKey
	Token        string // Bearer; ClientCredentials: a ready token that spares the exchange
	Username     string // Basic
	Password     string // Basic
	ClientID     string // ClientCredentials
	ClientSecret string // ClientCredentials
	Certificate  string // MutualTLS, PEM
	PrivateKey   string // MutualTLS, PEM
}
