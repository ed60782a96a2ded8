package runtime

import "testing"

// What the operator reads names the source and the address, never a secret in it.
func TestBaseURL(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"none", "", ""},
		{"good", "https://api.test/v1", ""},
		{"white space", " https://api.test ", ""},
		{"local port", "localhost:8080", `X "localhost:8080": it must begin with https:// or http://; write http://localhost:8080`},
		{"host and port", "api.test:8443/v1", `X "api.test:8443/v1": it must begin with https:// or http://; write https://api.test:8443/v1`},
		{"another scheme", "ftp://api.test", `X "ftp://api.test": it must begin with https:// or http://; write https://api.test`},
		{"user and password", "http://ann:pw@api.test/v1", `X "http://REDACTED@api.test/v1": it must not hold a user name or password: credentials have settings of their own; write http://api.test/v1`},
		{"password with a slash", "https://ann:p/w@api.test", `X "https://REDACTED@api.test": it is not a URL; write the API's address, such as https://api.example.com/v1`},
		{"password without a scheme", "ann:pw@api.test", `X "REDACTED@api.test": it must begin with https:// or http://; write https://api.test`},
		{"query", "https://api.test/v1?key=abc", `X "https://api.test/v1?REDACTED": it must end after the path; write https://api.test/v1`},
		{"fragment", "https://api.test/#abc", `X "https://api.test/#REDACTED": it must end after the path; write https://api.test/`},
		{"no host", "https:///v1", `X "https:///v1": it has no host; write the API's address, such as https://api.example.com/v1`},
		{"a path", "/v1", `X "/v1": it must begin with https:// or http://; write the API's address, such as https://api.example.com/v1`},
		{"line break", "https://api.test/\n", ""},
		{"control character", "https://a\x00b", `X "https://a\x00b": it is not a URL; write the API's address, such as https://api.example.com/v1`},
	} {
		got := ""
		if err := (&Config{BaseURL: tc.text}).checkBaseURL("X"); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%s: got  %s\nwant %s", tc.name, got, tc.want)
		}
	}
}
