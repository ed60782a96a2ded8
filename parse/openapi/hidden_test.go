package openapi

import (
	"strings"
	"testing"
	"unicode"
)

// Characters that nobody sees are gone from what is said, and escaped where they
// are data that must stay as it is.
func TestHiddenCharacters(t *testing.T) {
	const hidden = `\u202e\u200b\u001b\u009b\udb40\udc41`
	document := strings.ReplaceAll(`{
  "openapi": "3.1.0",
  "info": {"title": "T…T", "version": "1…2", "description": "I…I"},
  "servers": [{"url": "https://a.test"}],
  "tags": [{"name": "x", "description": "G…G"}],
  "security": [{"key": []}],
  "paths": {"/a": {"post": {
    "operationId": "op", "tags": ["x"], "summary": "S…S", "description": "D…D\nline",
    "parameters": [{"name": "q", "in": "query", "description": "P…P", "schema": {"title": "Q…Q", "enum": ["e…e"]}}],
    "requestBody": {"description": "B…B", "content": {"multipart/form-data": {"schema": {"type": "object", "properties": {
      "file": {"type": "string", "format": "binary", "description": "F…F"},
      "o": {"type": "object", "properties": {"n…n": {"type": "string", "description": "N…N"}}}}}}}},
    "responses": {"200": {"description": "R…R"}}}}},
  "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-K", "description": "K…K"}}}
}`, "…", hidden)
	for _, full := range []bool{false, true} {
		s, _ := mustParse(t, document, Options{FullDescriptions: full})
		tool := s.Tools()[0]
		said := strings.Join([]string{s.Title, s.Version, s.Description, s.Groups[0].Description, tool.Title, tool.Description, string(tool.Input), s.Auth[0].Description}, "\n")
		for _, r := range said {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Errorf("%U is in what is said: %q", r, said)
				break
			}
		}
		for _, letter := range "TIGSDPQBFNRK" {
			if word := string(letter) + string(letter); !strings.Contains(said, word) {
				t.Errorf("%s is not in what is said: %q", word, said)
			}
		}
		if !strings.Contains(tool.Description, "DD\nline") {
			t.Errorf("a line break is lost: %q", tool.Description)
		}
		for _, escaped := range []string{`"e` + hidden + `e"`, `"n` + hidden + `n"`} {
			if !strings.Contains(string(tool.Input), escaped) {
				t.Errorf("%s is not in %s", escaped, tool.Input)
			}
		}
	}
}
