package runtime

import "strings"

// variables returns the names of the environment variables that supply a
// scheme's credential, without their _FILE variants.
func (a Auth) variables(prefix string) []string {
	var names []string
	switch a.Kind {
	case APIKey:
		names = []string{"API_KEY_"}
	case Basic:
		names = []string{"BASIC_USERNAME_", "BASIC_PASSWORD_"}
	case Bearer:
		names = []string{"BEARER_TOKEN_"}
	case ClientCredentials:
		names = []string{"OAUTH_CLIENT_ID_", "OAUTH_CLIENT_SECRET_"}
	case MutualTLS:
		names = []string{"CLIENT_CERT_", "CLIENT_KEY_"}
	}
	for i, name := range names {
		names[i] = prefix + name + envName(a.Name)
	}
	return names
}

// envName makes a scheme's or variable's name part of an environment variable.
func envName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
}
