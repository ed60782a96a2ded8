package runtime

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
)

// staticToken is the digest of a token: digests are of one length, so that a
// comparison takes the same time whatever is sent.
type staticToken [sha256.Size]byte

// watchTokens reads a file of tokens. To begin with none is a mistake; later it is
// how the last one is taken away.
func (s *Server) watchTokens(path string) (*watched[[]staticToken], error) {
	tokens, err := watch(s.log, func() ([]staticToken, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var tokens []staticToken
		for i, line := range strings.Split(string(data), "\n") {
			token, _, _ := strings.Cut(line, "#")
			switch token = strings.TrimSpace(token); {
			case token == "":
				continue
			case strings.Trim(token, tokenAlphabet) != "":
				return nil, fmt.Errorf("%s:%d: a token has letters, digits and -._~+/= only (RFC 6750, 2.1), one a line", path, i+1)
			case len(token) < minToken:
				s.log.Warn("a token is so short that it may be guessed; `openssl rand -hex 32` prints a good one", "file", path, "line", i+1)
			}
			s.redactor.Add(token)
			tokens = append(tokens, sha256.Sum256([]byte(token)))
		}
		return tokens, nil
	}, path)
	if err == nil && len(tokens.get()) == 0 {
		err = errors.New(path + " holds no token")
	}
	return tokens, err
}

const tokenAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="

// minToken is how long a token should be, in characters.
const minToken = 16

// findToken returns the caller whose token it is, nil for none. It looks at all.
func findToken(tokens []staticToken, token string) *caller {
	digest := sha256.Sum256([]byte(token))
	found := 0
	for _, t := range tokens {
		found |= subtle.ConstantTimeCompare(t[:], digest[:])
	}
	if found == 0 {
		return nil
	}
	return &caller{UserID: "token " + hex.EncodeToString(digest[:8])}
}
