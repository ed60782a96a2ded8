package runtime

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Redacted stands where a secret stood. It needs no escaping in a URL, a header
// or a JSON string.
const Redacted = "REDACTED"

// minSecret is the shortest value that is redacted. A shorter one protects
// nothing, and replacing each "test" or "1234" would garble honest results.
const minSecret = 6

// Redactor replaces known secrets by value, whatever text they turn up in: as
// they are, percent-encoded, as part of a JSON or Go string, in HTML, in base64,
// by itself or inside more.
// Values of less than six bytes are left alone. It is safe for concurrent use.
type Redactor struct {
	mu    sync.RWMutex
	forms []string // longest first, so that no secret hides a longer one
	bare  []string // those that are not escaped, longest first
}

// NewRedactor returns a redactor that knows no secret yet.
func NewRedactor() *Redactor { return &Redactor{} }

// Add makes secrets known, for example a token that was just fetched.
func (r *Redactor) Add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	forms, bare := slices.Clone(r.forms), slices.Clone(r.bare)
	for _, secret := range secrets {
		if len(secret) >= minSecret {
			forms = append(forms, secretForms(secret)...)
			bare = append(bare, secret)
			bare = append(bare, base64Forms(secret)...)
		}
	}
	r.forms, r.bare = longestFirst(forms), longestFirst(bare)
}

func longestFirst(texts []string) []string {
	slices.SortFunc(texts, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(texts)
}

// Redact returns text with every known secret replaced.
func (r *Redactor) Redact(text string) string {
	r.mu.RLock()
	forms, bare := r.forms, r.bare
	r.mu.RUnlock()
	for _, form := range forms {
		text = strings.ReplaceAll(text, form, Redacted)
	}
	if len(bare) > 0 && strings.ContainsAny(text, `\%&+`) {
		for _, secret := range bare {
			text = replaceEscaped(text, secret)
		}
	}
	return text
}

// secretForms returns the ways in which a secret is written.
func secretForms(secret string) []string {
	quoted := strconv.Quote(secret)
	escaped, _ := json.Marshal(secret) // a string always encodes
	forms := []string{
		secret,
		url.QueryEscape(secret),
		url.PathEscape(secret),
		escapeAll(secret),
		quoted[1 : len(quoted)-1],
		string(escaped[1 : len(escaped)-1]),
		string(quoteTrimmed(secret)),
	}
	for _, form := range forms[1:4] {
		forms = append(forms, lowerEscapes(form))
	}
	return append(forms, base64Forms(secret)...)
}

// base64Forms returns what a secret is in base64, alone and inside something
// longer: there it begins at any of three places in a group of characters, of
// which only the ones that it fills are its own.
func base64Forms(secret string) []string {
	var forms []string
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		forms = append(forms, encoding.EncodeToString([]byte(secret)), encoding.WithPadding(base64.NoPadding).EncodeToString([]byte(secret)))
		for before := range 3 {
			encoded := encoding.EncodeToString(append(make([]byte, before), secret...))
			forms = append(forms, encoded[(before*8+5)/6:(before+len(secret))*8/6])
		}
	}
	return forms
}

// quoteTrimmed is a JSON string without its quotes, with <, > and & as they are.
func quoteTrimmed(s string) []byte {
	q := quote(s)
	return q[1 : len(q)-1]
}

// lowerEscapes writes percent-encoded triples with lower-case digits, as some
// servers echo them.
func lowerEscapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// secrets returns the values of a credential that must not be shown, with the
// pair that HTTP Basic sends.
func (c Credential) secrets() []string {
	secrets := []string{c.Key, c.Token, c.Password, c.ClientSecret, c.PrivateKey}
	if c.Password != "" {
		secrets = append(secrets, c.Username+":"+c.Password)
	}
	if c.ClientSecret != "" {
		secrets = append(secrets, c.ClientID+":"+c.ClientSecret)
	}
	return secrets
}
