package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Package is what the generated code of an annotated Go package gives to a
// server.
type Package struct {
	Schemas     fs.FS // mcp_tools/<name>.json: the object tools/list returns for a tool
	Tools       []Tool
	Resources   []Resource
	Prompts     []Prompt
	Environment []string // variables that Start reads
	// Start makes what the functions are called on, once, before the first
	// call; nil: nothing. Its error ends the start of the server.
	Start func(ctx context.Context, start *Start) error
}

// Add makes the server offer what a package has. It goes between [NewServer] and
// [Server.Run].
func (s *Server) Add(p Package) {
	for _, t := range p.Tools {
		t.local, t.schemas, t.Handle = true, p.Schemas, s.limited(t.Name, t.Timeout, t.Handle)
		s.def.Tools = append(s.def.Tools, t)
	}
	for _, name := range p.Environment {
		if !slices.Contains(s.def.environment, name) {
			s.def.environment = append(s.def.environment, name)
		}
	}
	s.packages = append(s.packages, p)
}

// callsAPI reports whether some tool sends requests.
func (def *Definition) callsAPI() bool {
	return slices.ContainsFunc(def.Tools, func(t Tool) bool { return !t.local })
}

// limited gives a handler of a Go function its deadline.
func (s *Server) limited(name string, timeout time.Duration, handle Handler) Handler {
	if timeout == 0 {
		timeout = s.config.Timeout
	}
	return func(ctx context.Context, call *Call) (*Result, error) {
		inner, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		result, err := handle(inner, call)
		if result != nil && result.IsError && inner.Err() != nil && ctx.Err() == nil {
			return Failure("%s did not finish within %s: %s", name, timeout, textContent(result)), nil
		}
		return result, err
	}
}

// open starts the packages and registers what the SDK answers for.
func (s *Server) open(server *mcp.Server) error {
	for _, p := range s.packages {
		if err := s.startPackage(p); err != nil {
			s.Close()
			return err
		}
		if err := errors.Join(s.addResources(server, p.Resources), s.addPrompts(server, p.Prompts)); err != nil {
			s.Close()
			return err
		}
	}
	if s.hidesSchemas() {
		s.addFullSchemas(server)
	}
	if s.cuts() {
		s.addKept(server)
	}
	s.changing.open(s, server)
	s.catalog.open(server)
	return nil
}

func (s *Server) startPackage(p Package) (err error) {
	if p.Start == nil {
		return nil
	}
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("a provider panicked", "panic", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("a provider panicked: %v", v)
		}
	}()
	return p.Start(context.Background(), &Start{s})
}

// Close undoes what providers made, the last one first, and sends the telemetry
// that is left. [Main] calls it; a
// program that calls Run itself does so when all sessions have ended.
func (s *Server) Close() {
	for _, cleanup := range slices.Backward(s.cleanups) {
		s.contain("a clean-up panicked", cleanup)
	}
	s.cleanups = nil
	s.closeObserver()
}

func (s *Server) contain(what string, f func()) {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error(what, "panic", v, "stack", string(debug.Stack()))
		}
	}()
	f()
}

// setCacheable lets a client keep lists, but not what it reads: only the
// function behind a resource knows when that changes.
func (s *Server) setCacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = s.cacheScope()
	switch req.(type) {
	case *mcp.ReadResourceRequest:
	case *mcp.ListToolsRequest:
		c.TTLMs = s.changing.ttl()
	default:
		c.TTLMs = listTTL
	}
}

// cacheScope says who may be given what one caller was: nobody else where it
// took a token (MCP 2026-07-28, utilities/caching).
func (s *Server) cacheScope() string {
	if s.private {
		return "private"
	}
	return "public"
}

// Start is what a package's start is given.
type Start struct{ server *Server }

// Made takes note of what a provider returned beside its value. The clean-up
// runs when the server ends, and may be nil.
func (s *Start) Made(provider string, cleanup func(), err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", provider, err)
	}
	if cleanup != nil {
		s.server.cleanups = append(s.server.cleanups, cleanup)
	}
	return nil
}

// Need refuses dependencies that the program did not give: nil ones. What else
// a zero value may mean only its package knows. The fields of a struct come in
// pairs: name, value, name, value…
func (s *Start) Need(of string, pairs ...any) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		if isNil(pairs[i+1]) {
			return fmt.Errorf("%s.%v is nil: the program must set it", of, pairs[i])
		}
	}
	return nil
}

func isNil(value any) bool {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Chan, reflect.Slice:
		return v.IsNil()
	}
	return !v.IsValid()
}

// Logger returns the server's logger.
func (s *Start) Logger() *slog.Logger { return s.server.log }

// Env stores the value of an environment variable into to, a pointer: text as
// it is, a duration as "1m30s", a URL, everything else as JSON.
func (s *Start) Env(name string, to any) error {
	text, ok := s.server.config.Environment[name]
	if !ok {
		return fmt.Errorf("set %s in the environment, or %s_FILE to a file that holds it", name, name)
	}
	if err := parseText(text, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func parseText(text string, to any) (err error) {
	switch to := to.(type) {
	case *time.Duration:
		*to, err = time.ParseDuration(text)
		return err
	case **url.URL:
		*to, err = url.Parse(text)
		return err
	case *url.URL:
		u, err := url.Parse(text)
		if err == nil {
			*to = *u
		}
		return err
	}
	if v := reflect.ValueOf(to).Elem(); v.Kind() == reflect.String {
		v.SetString(text)
		return nil
	}
	if json.Unmarshal([]byte(text), to) == nil {
		return nil
	}
	// A type with a textual form wants a string.
	if json.Unmarshal(quote(text), to) == nil {
		return nil
	}
	return fmt.Errorf("it cannot be read as %s", strings.TrimPrefix(fmt.Sprintf("%T", to), "*"))
}
