package runtime

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A secret is found however a library, a server or a log writes it.
func TestRedact(t *testing.T) {
	const secret = "s3cr3t +/\"<&>é"
	encoded, _ := json.Marshal(secret)
	forms := map[string]string{
		"as it is":            secret,
		"query":               url.QueryEscape(secret),
		"path":                url.PathEscape(secret),
		"lower-case query":    "s3cr3t+%2b%2f%22%3c%26%3e%c3%a9",
		"JSON":                string(encoded),
		"JSON without HTML":   string(quote(secret)),
		"Go":                  strconv.Quote(secret),
		"base64":              base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 for URLs":     base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"HTTP Basic":          "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:"+secret)),
		"JSON of PHP":         strings.ReplaceAll(string(quote(secret)), "/", `\/`),
		"JSON of .NET":        `s3cr3t \u002B/\u0022\u003C\u0026\u003E\u00E9`,
		"JSON of Python":      `s3cr3t +/\"<&>\u00e9`,
		"JSON in JSON":        string(quote(string(quote(secret)))),
		"JSON in JSON of PHP": strings.ReplaceAll(string(quote(strings.ReplaceAll(string(quote(secret)), "/", `\/`))), "/", `\/`),
		"path of Python":      "s3cr3t%20%2B/%22%3C%26%3E%C3%A9",
		"query of JavaScript": "s3cr3t%20+/%22%3C&%3E%C3%A9",
		"percent twice":       url.PathEscape(url.PathEscape(secret)),
		"HTML":                html.EscapeString(secret),
		"HTML of Go":          "s3cr3t &#43;/&#34;&lt;&amp;&gt;é",
		"HTML of Mustache":    "s3cr3t +&#x2F;&quot;&lt;&amp;&gt;&eacute;",
		"base64 in JSON":      strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte(secret)), "/", `\/`),
		"an error with a URL": (&url.Error{Op: "Get", URL: "https://api.test/?key=" + url.QueryEscape(secret), Err: errors.New("refused")}).Error(),
	}
	r := NewRedactor()
	r.Add(Credential{Username: "ann", Password: secret}.secrets()...)
	for name, form := range forms {
		got := r.Redact("before " + form + " after")
		if !strings.Contains(got, Redacted) || strings.Contains(got, "3cr3t") || strings.Contains(got, form) {
			t.Errorf("%s: %q", name, got)
		}
		if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
			t.Errorf("%s: lost text around it: %q", name, got)
		}
	}
}

// Text that is full of escapes and holds no secret stays as it is, and is read
// in one pass.
func TestRedactEscapesOfOthers(t *testing.T) {
	r := NewRedactor()
	r.Add(`\\\\\\\\`, "%25%25%25%25", "&amp;&amp;", "++++++++", "s3cr3t+/=")
	for _, text := range []string{`{"a":"\/\u002f\\","b":"100%&c"}`, "%", "%2", `\`, `\u00`, "&", "&amp", "s3cr3t%2B%2F", `s3cr3t\`, "s3cr3t"} {
		if got := r.Redact(text); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	for _, c := range []string{`\`, "%", "&", "+", "%25", "&#", `\u`} {
		r.Redact(strings.Repeat(c, 1<<17))
	}
}

func TestRedactOrder(t *testing.T) {
	r := NewRedactor()
	r.Add("secret-1")
	r.Add("secret-1-and-more", "short", "", "secret-1")
	if got := r.Redact("secret-1-and-more, secret-1, short"); got != "REDACTED, REDACTED, short" {
		t.Error(got)
	}
}

// Whatever a handler hands back, no secret is in what the client gets.
func TestRedactResult(t *testing.T) {
	config := Config{Log: quiet(), Credentials: map[string]Credential{"key": {Key: "1234567890"}}}
	def := oneTool(`{"type":"object"}`)
	def.Auth = []Auth{{Name: "key", Kind: APIKey}}
	c := newCall(t, def, config)
	for name, r := range map[string]*Result{
		"text":            Text("key 1234567890"),
		"failure":         Failure("key %s", "1234567890"),
		"JSON":            JSON(json.RawMessage(`{"key":"1234567890"}`)),
		"a key in a key":  JSON(json.RawMessage(`{"1234567890":1}`)),
		"digits":          JSON(json.RawMessage(`{"n":51234567890}`)), // no JSON once redacted
		"resource":        {Content: []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x:1234567890", Text: "1234567890"}}}},
		"blob":            {Content: []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x:y", Blob: []byte("\x001234567890")}}}},
		"image":           {Content: []mcp.Content{&mcp.ImageContent{MIMEType: "image/png", Data: []byte("\x001234567890")}}},
		"sound":           {Content: []mcp.Content{&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("\x001234567890")}}},
		"empty resource":  {Content: []mcp.Content{&mcp.EmbeddedResource{}}},
		"link":            {Content: []mcp.Content{&mcp.ResourceLink{URI: "https://api.test/?k=1234567890", Name: "1234567890", Title: "of 1234567890", Description: "1234567890"}}},
		"text without it": Text("nothing"),
	} {
		before := fmt.Sprintf("%+v", r.Content)
		c.notes = []string{"Read 1234567890 as a number."}
		sent, err := json.Marshal(c.server.encode(c, r))
		if err != nil || strings.Contains(string(sent), "1234567890") || strings.Contains(string(sent), "ADEyMzQ1Njc4OTA") {
			t.Errorf("%s: %s, %v", name, sent, err)
		}
		if after := fmt.Sprintf("%+v", r.Content); after != before {
			t.Errorf("%s: the handler's own content changed to %s", name, after)
		}
	}
}

func TestRedactLog(t *testing.T) {
	r := NewRedactor()
	r.Add("hunter2-secret")
	for _, format := range []string{"text", "json"} {
		var out bytes.Buffer
		log := slog.New(redactHandler{newLogger(&out, slog.LevelInfo, format).Handler(), r})
		log = log.With("with", "hunter2-secret").WithGroup("group")
		log.Info("say hunter2-secret", "string", "hunter2-secret", "error", errors.New("hunter2-secret"),
			"any", map[string]string{"k": "hunter2-secret"}, "number", 5,
			slog.Group("inner", "k", "hunter2-secret"), "late", lateSecret{})
		log.Debug("below the level")
		if got := out.String(); strings.Contains(got, "hunter2") || strings.Count(got, Redacted) != 7 || strings.Contains(got, "below") {
			t.Errorf("%s: %s", format, got)
		}
	}
}

type lateSecret struct{}

func (lateSecret) LogValue() slog.Value { return slog.StringValue("hunter2-secret") }

func TestLevelHandler(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(levelHandler{newLogger(&out, slog.LevelInfo, "text").Handler(), slog.LevelWarn}).With("a", 1).WithGroup("g")
	log.Info("info")
	log.Warn("warn")
	if got := out.String(); strings.Contains(got, "info") || !strings.Contains(got, "warn") {
		t.Error(got)
	}
	if log.Enabled(context.Background(), slog.LevelInfo) {
		t.Error("info is enabled")
	}
}

// Redacting must leave text without secrets alone, and text with one without it.
func FuzzRedact(f *testing.F) {
	f.Add("a secret", "text with a secret in it")
	f.Add("\"\\%2f\n", "x")
	f.Add("REDACTED", "REDACTED")
	f.Fuzz(func(t *testing.T, secret, text string) {
		r := NewRedactor()
		r.Add(secret)
		got := r.Redact(text + secret)
		if len(secret) >= minSecret && !strings.Contains(Redacted, secret) && !strings.Contains(secret, Redacted) &&
			strings.Contains(strings.ReplaceAll(got, Redacted, "\x00"), secret) {
			t.Errorf("%q is in %q", secret, got)
		}
		if len(secret) < minSecret && got != text+secret {
			t.Errorf("%q became %q", text+secret, got)
		}
	})
}
