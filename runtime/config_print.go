package runtime

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// printConfig prints every flag and variable with its value and where that came
// from. Of variables only addresses are shown: the others hold secrets, or may.
// What has no value at all is said to be not set.
func (o *options) printConfig(to io.Writer, redactor *Redactor) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	defer w.Flush()
	row := func(name, value, source string) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, printable(redactor.Redact(value)), source)
	}
	unset := func(name string) { row(name, "(not set)", "-") }
	row("NAME", "VALUE", "FROM")
	o.flags.VisitAll(func(f *flag.Flag) {
		if slices.Contains(notInFile[1:], f.Name) {
			return
		}
		g := o.taken[f.Name]
		switch {
		case f.Name == "base-url" && o.BaseURL != "":
			row(f.Name, shownAddress(o.BaseURL), o.baseURLSource(o.def))
		case g != nil:
			row(f.Name, cmp.Or(strings.Join(g.values, ", "), `""`), g.source)
		case defaultOf(f) != "":
			row(f.Name, defaultOf(f), "default")
		default:
			unset(f.Name)
		}
	})
	for _, s := range o.settings {
		g := o.taken[s.name]
		switch {
		case g == nil:
			unset(s.name)
		case o.isAddress(s.name):
			row(s.name, shownAddress(g.values[0]), g.source)
		default:
			row(s.name, "(hidden)", g.source)
		}
	}
}

// shownAddress is an address without what may be secret in one that is not
// well-formed.
func shownAddress(text string) string {
	if strings.ContainsAny(text, "@?#") {
		text, _ = describeBaseURL(text)
	}
	return text
}

// isAddress reports whether a variable is a part of the API's address.
func (o *options) isAddress(name string) bool {
	prefix := o.def.EnvPrefix
	return (name == prefix+"BASE_URL" || strings.HasPrefix(name, prefix+"SERVER_")) && !slices.Contains(o.def.environment, name)
}

// defaultOf is what -h says of a flag that is not set; empty: it has no default.
func defaultOf(f *flag.Flag) string {
	if said := regexp.MustCompile(`\(default (.*)\)$`).FindStringSubmatch(f.Usage); said != nil {
		return said[1]
	}
	return f.DefValue
}
