package runtime

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"
)

// setting is one environment variable that a server reads.
type setting struct {
	name  string // with the prefix
	about string // one line for -h
	store func(value string)
}

// settings lists the environment variables that def's server reads into c, in
// the order that -h shows them.
func (c *Config) settings(def *Definition) []setting {
	var list []setting
	if def.callsAPI() {
		list = append(list, setting{
			def.EnvPrefix + "BASE_URL", "address of the API, in place of the document's servers, not of an operation's own",
			func(value string) { c.BaseURL = value },
		})
	}
	for _, name := range def.environment {
		list = append(list, setting{name, "asked for by a function of this server", func(value string) {
			if c.Environment == nil {
				c.Environment = map[string]string{}
			}
			c.Environment[name] = value
		}})
	}
	for _, a := range def.Auth {
		list = append(list, c.credentialSettings(def.EnvPrefix, a)...)
	}
	seen := map[string]bool{}
	for _, u := range def.Upstreams {
		for _, v := range u.Variables {
			if seen[v.Name] {
				continue
			}
			seen[v.Name] = true
			about := "server variable " + printable(v.Name)
			if v.Default != "" {
				about += ", default " + printable(v.Default)
			}
			list = append(list, setting{def.EnvPrefix + "SERVER_" + envName(v.Name), about, func(value string) {
				if c.Variables == nil {
					c.Variables = map[string]string{}
				}
				c.Variables[v.Name] = value
			}})
		}
	}
	return list
}

// credentialSettings lists the variables of one security scheme.
func (c *Config) credentialSettings(prefix string, a Auth) []setting {
	store := func(field func(*Credential) *string) func(string) {
		return func(value string) {
			if c.Credentials == nil {
				c.Credentials = map[string]Credential{}
			}
			credential := c.Credentials[a.Name]
			*field(&credential) = value
			c.Credentials[a.Name] = credential
		}
	}
	of := " of scheme " + printable(a.Name)
	name := a.variables(prefix)
	switch a.Kind {
	case APIKey:
		return []setting{{name[0], "key" + of + " (" + a.In + " " + printable(a.Wire) + ")", store(func(c *Credential) *string { return &c.Key })}}
	case Basic:
		return []setting{
			{name[0], "user name" + of, store(func(c *Credential) *string { return &c.Username })},
			{name[1], "password" + of, store(func(c *Credential) *string { return &c.Password })},
		}
	case Bearer:
		return []setting{{name[0], "token" + of, store(func(c *Credential) *string { return &c.Token })}}
	case ClientCredentials:
		return []setting{
			{name[0], "OAuth 2 client id" + of, store(func(c *Credential) *string { return &c.ClientID })},
			{name[1], "OAuth 2 client secret" + of, store(func(c *Credential) *string { return &c.ClientSecret })},
			{prefix + "BEARER_TOKEN_" + a.envName(), "a ready token" + of + ", in place of the two", store(func(c *Credential) *string { return &c.Token })},
		}
	default:
		return []setting{
			{name[0], "client certificate" + of + ", PEM", store(func(c *Credential) *string { return &c.Certificate })},
			{name[1], "private key" + of + ", PEM", store(func(c *Credential) *string { return &c.PrivateKey })},
		}
	}
}

// readEnvironment stores the settings that the environment has. For each NAME,
// NAME_FILE may name a file that holds the value instead. Empty is unset.
func readEnvironment(list []setting, getenv func(string) string) error {
	for _, s := range list {
		value, path := getenv(s.name), getenv(s.name+"_FILE")
		switch {
		case value != "" && path != "":
			return fmt.Errorf("%s and %s_FILE are both set: keep one", s.name, s.name)
		case path != "":
			data, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("%s_FILE names no file that can be read: %s. Its value is not shown, as it may be a secret: the secret itself goes into %s",
					s.name, reason(err), s.name)
			}
			value = trimNewline(string(data))
		}
		if value != "" {
			s.store(value)
		}
	}
	return nil
}

// reason is what the system says of a file, without the file's name.
func reason(err error) string {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

// printable is text of a document as a terminal shows it and does not obey it.
func printable(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	return strconv.Quote(text)
}

// trimNewline drops the one newline that editors and echo put at the end.
func trimNewline(text string) string {
	if line, ok := strings.CutSuffix(text, "\n"); ok {
		return strings.TrimSuffix(line, "\r")
	}
	return text
}

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
		names[i] = prefix + name + a.envName()
	}
	return names
}

func (a Auth) envName() string { return cmp.Or(a.Env, envName(a.Name)) }

// envName makes a scheme's or variable's name part of an environment variable:
// upper case, everything but letters and digits becomes _.
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
