package conformance

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Seal makes texts that no client can change unnoticed: it guards what travels
// in RequestState. Its key lives as long as the server; several servers behind
// one address would have to share it.
type Seal struct{ key []byte }

// NewSeal returns a seal with a key of its own.
//
//mcp:provider
func NewSeal() *Seal {
	s := &Seal{key: make([]byte, 32)}
	_, _ = rand.Read(s.key) // never fails (crypto/rand)
	return s
}

// close adds a code to a text.
func (s *Seal) close(text string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + base64.RawURLEncoding.EncodeToString(s.code(text))
}

// open takes the text out of what close made.
func (s *Seal) open(sealed string) (string, error) {
	text, code, _ := strings.Cut(sealed, ".")
	plain, err1 := base64.RawURLEncoding.DecodeString(text)
	given, err2 := base64.RawURLEncoding.DecodeString(code)
	if err1 != nil || err2 != nil || !hmac.Equal(given, s.code(string(plain))) {
		return "", invalidState()
	}
	return string(plain), nil
}

func (s *Seal) code(text string) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
