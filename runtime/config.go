package runtime

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// Config is what the operator decides. The zero Config works for a server whose
// document names an upstream.
type Config struct {
	// BaseURL replaces the document's servers. Servers that the document gives
	// to a path or an operation stay.
	BaseURL string
	// Upstream chooses among the document's servers, 0 is the first.
	Upstream int
	// Variables are values of server variables by name.
	Variables map[string]string
	// Credentials by the name of the security scheme.
	Credentials map[string]Credential
	// Timeout of one call, retries included; 0 is a minute.
	Timeout time.Duration
	// MaxResponse is how many bytes of a response the model is given; 0 is
	// 100,000, negative is no limit.
	MaxResponse int
	// MaxBody is how many bytes of a response are read at most; 0 is 64 MiB.
	MaxBody int64
	// MaxBodyTotal is how many bytes of responses all calls hold together, beyond
	// the first 256 KiB of each; 0 is 256 MiB, or MaxBody if that is more. MaxBody
	// is never more than this.
	MaxBodyTotal int64
	// Files is the folder that file arguments may name files in; empty: none may.
	Files string
	// Tools says what tools/list shows: [AllTools], the default; [SearchTools], three
	// tools that find and call the others; [AutoTools], all of them up to ToolsBudget.
	Tools string
	// ToolsBudget is how many tokens, about, all tools may take under [AutoTools];
	// 0 is 25,000.
	ToolsBudget int
	// Pinned are names of tools that search mode lists, too.
	Pinned []string
	// Select adds the argument _fields to the tools of an API, which reduces its
	// answers to the fields that are named.
	Select bool
	// Paginate adds the argument _max_items to tools whose answers come in pages,
	// which has several pages read in one call.
	Paginate bool
	// PassHeaders are names of headers of the inbound HTTP request that go to the upstream.
	PassHeaders []string
	// PassToken gives the upstream the bearer token of the inbound HTTP request,
	// in place of the credential of an OAuth 2, OpenID Connect or bearer scheme.
	PassToken bool
	// Environment holds the variables that Go functions ask for, by name.
	Environment map[string]string
	// StrictArguments refuses arguments that would otherwise be repaired.
	StrictArguments bool
	// Mock answers from the document's examples in place of the upstream; see
	// Definition.Mock.
	Mock bool
	// MockStatus is which of its responses a tool gives, by its name, or under ""
	// for all others; none: the first of the 2xx class.
	MockStatus map[string]int
	// Trace gets every message of the protocol, secrets redacted, one JSON object a
	// line; nil: none is recorded.
	Trace io.Writer
	// Offer chooses the tools that there are.
	Offer Offer
	// Limits bound how much is called at a time.
	Limits Limits
	// Confirm says before which calls people are asked.
	Confirm Confirm
	// ConfirmKey is a secret that servers share which take the answers to each
	// other's questions (MCP 2026-07-28, requestState); empty: one of its own.
	ConfirmKey string
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

// withDefaults fills what is zero.
func (c Config) withDefaults() Config {
	c.Timeout = cmp.Or(c.Timeout, time.Minute)
	c.MaxResponse = cmp.Or(c.MaxResponse, 100_000)
	c.ToolsBudget = cmp.Or(c.ToolsBudget, 25_000)
	c.MaxBody = cmp.Or(c.MaxBody, 64<<20)
	c.MaxBodyTotal = cmp.Or(c.MaxBodyTotal, max(256<<20, c.MaxBody))
	c.MaxBody = min(c.MaxBody, c.MaxBodyTotal)
	c.Limits = c.Limits.withDefaults()
	return c
}

// check refuses settings that no call could use.
func (c *Config) check(def *Definition) error {
	if err := c.checkMock(def); err != nil {
		return err
	}
	if c.Files != "" {
		info, err := os.Stat(c.Files)
		switch {
		case err != nil:
			return fmt.Errorf("-files: %w", err)
		case !info.IsDir():
			return fmt.Errorf("-files: %s is not a folder", c.Files)
		}
	}
	return c.checkVariables(def)
}

// checkVariables refuses variables that no upstream has.
func (c *Config) checkVariables(def *Definition) error {
	var names []string
	for _, u := range def.Upstreams {
		for _, v := range u.Variables {
			names = append(names, v.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Variables)) {
		if slices.Contains(names, name) {
			continue
		}
		if len(names) == 0 {
			return fmt.Errorf("server variable %s: the addresses of the API have no variables", name)
		}
		hint := ""
		if near := nearest(name, names); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return fmt.Errorf("server variable %s: there is none of that name%s (there are: %s)", name, hint, strings.Join(names, ", "))
	}
	return nil
}

// checkBaseURL refuses an address that no request could go to. The error is for
// the operator; source is the flag or variable that the address came from.
func (c *Config) checkBaseURL(source string) error {
	if c.BaseURL == "" {
		return nil
	}
	_, err := parseBaseURL(c.BaseURL)
	if err == nil {
		return nil
	}
	shown, meant := describeBaseURL(c.BaseURL)
	if meant == "" {
		meant = "the API's address, such as https://api.example.com/v1"
	}
	return fmt.Errorf("%s %q: %w; write %s", source, shown, err, meant)
}

// describeBaseURL returns an unusable address without what may be secret in it,
// and the usable one that may be meant, empty if there is none.
func describeBaseURL(text string) (shown, meant string) {
	scheme, rest, found := strings.Cut(strings.TrimSpace(text), "://")
	if !found {
		scheme, rest = "", scheme
	} else {
		shown = scheme + "://"
	}
	at := strings.LastIndexByte(rest, '@') // a password may hold what ends a host
	address := rest[at+1:]
	end := strings.IndexAny(address, "?#")
	if end < 0 {
		end = len(address)
	}
	if at >= 0 {
		shown += Redacted + "@"
	}
	shown += address[:end]
	if end < len(address) {
		shown += address[end:end+1] + Redacted
	}
	switch host, _, _ := strings.Cut(address, ":"); {
	case scheme == "http" || scheme == "https":
	case host == "localhost" || strings.HasPrefix(host, "127."):
		scheme = "http"
	default:
		scheme = "https"
	}
	meant = scheme + "://" + address[:end]
	if _, err := parseBaseURL(meant); err != nil || strings.Contains(rest[:max(at, 0)], "/") {
		return shown, ""
	}
	return shown, meant
}

// parseBaseURL accepts absolute http and https addresses without a query. Its
// errors do not repeat the text, which may hold a secret.
func parseBaseURL(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	switch {
	case !strings.Contains(text, "://"):
		return nil, errors.New("it must begin with https:// or http://")
	case err != nil:
		return nil, errors.New("it is not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("it must begin with https:// or http://")
	case u.Host == "":
		return nil, errors.New("it has no host")
	case u.User != nil:
		return nil, errors.New("it must not hold a user name or password: credentials have settings of their own")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, errors.New("it must end after the path")
	}
	return u, nil
}
