package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// configure reads the configuration: the command line wins over the environment,
// and that over the file of -config. Flags that ask for something else than a
// server are for the caller.
func (p *process) configure(def *Definition) (*options, error) {
	opts := newOptions(def)
	if err := opts.parse(p.args[1:]); err != nil || opts.version {
		return opts, err
	}
	// The file comes first, so that what wins over it comes later. A list of the
	// command line replaces one of the file.
	file, given := opts.config, map[string]bool{}
	opts.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	opts = newOptions(def)
	opts.record()
	if file != "" {
		if err := opts.readFile(file, given); err != nil {
			return opts, fmt.Errorf("-config %s: %w", file, err)
		}
	}
	opts.source = fromEnvironment
	if err := readEnvironment(opts.settings, p.getenv); err != nil {
		return opts, err
	}
	opts.source = fromFlags
	err := opts.parse(p.args[1:])
	if usage := (*usageError)(nil); file != "" && errors.As(err, &usage) {
		return opts, fmt.Errorf("-config %s: %w", file, usage.error) // alone the command line was right
	}
	if opts.transport != "http" { // what a file says for the other transport
		opts.PassToken, opts.PassHeaders = false, nil
	}
	return opts, err
}

// Sources beside files.
const (
	fromFlags       = "command line"
	fromEnvironment = "environment"
)

// assigned is what a flag or variable was set to, and where.
type assigned struct {
	values []string
	source string
}

// record takes note of everything that is set from now on.
func (o *options) record() {
	o.taken = map[string]*assigned{}
	take := func(name, value string) {
		g := o.taken[name]
		if g == nil || g.source != o.source {
			g = &assigned{source: o.source}
			o.taken[name] = g
		}
		g.values = append(g.values, value)
	}
	o.flags.VisitAll(func(f *flag.Flag) { f.Value = &recorded{f.Value, func(value string) { take(f.Name, value) }} })
	for i := range o.settings {
		s := &o.settings[i]
		store := s.store
		s.store = func(value string) {
			take(s.name, value)
			store(value)
		}
	}
}

// recorded is a flag whose values are noted.
type recorded struct {
	flag.Value
	take func(value string)
}

// Set implements [flag.Value].
func (r *recorded) Set(value string) error {
	err := r.Value.Set(value)
	if err == nil {
		r.take(value)
	}
	return err
}

// IsBoolFlag says whether the flag may stand without a value.
func (r *recorded) IsBoolFlag() bool {
	b, ok := r.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// notInFile are flags about this one run.
var notInFile = []string{"config", "print-config", "check-config", "version"}

// readFile sets what a file of JSON says: an object whose keys are the names of
// flags and of environment variables. Flags in given are left to the command line.
func (o *options) readFile(path string, given map[string]bool) error {
	o.source = path
	data, err := os.ReadFile(path)
	if err != nil {
		return errors.New(reason(err))
	}
	data = bytes.TrimSpace(data)
	if err := checkJSON(data); err != nil {
		return err
	}
	environment := map[string]string{}
	seen := map[string]bool{}
	for key, value := range members(data) {
		if seen[key] {
			return fmt.Errorf("%s is there twice", printable(key))
		}
		seen[key] = true
		texts, err := textsOf(value)
		if err != nil {
			return fmt.Errorf("%s: %w", printable(key), err)
		}
		f := o.flags.Lookup(key)
		switch {
		case o.isVariable(key) && len(texts) == 1:
			environment[key] = texts[0]
		case o.isVariable(key):
			return fmt.Errorf("%s: it must be one text", key)
		case f == nil || slices.Contains(notInFile, key):
			return o.unknownKey(key)
		case len(texts) != 1 && !strings.Contains(f.Usage, "(repeatable)"):
			return fmt.Errorf("%s: it must be one value", key)
		case given[key]:
		default:
			// Not by FlagSet.Set: a flag of the other transport is no mistake in a
			// file that serves for both.
			for _, text := range texts {
				if err := f.Value.Set(text); err != nil {
					return fmt.Errorf("%s: %w", key, err)
				}
			}
		}
	}
	return readEnvironment(o.settings, func(name string) string { return environment[name] })
}

// checkJSON says where data is no JSON object.
func checkJSON(data []byte) error {
	var object map[string]json.RawMessage
	err := json.Unmarshal(data, &object)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) && len(data) > 0 {
		before := data[:min(int(syntax.Offset), len(data))]
		line := bytes.Count(before, []byte("\n"))
		column := len(before) - 1 - bytes.LastIndexByte(before, '\n')
		return fmt.Errorf("line %d, column %d: %w", line+1, column, err)
	}
	if object == nil {
		return errors.New(`it must be a JSON object, such as {"timeout": "30s"}`)
	}
	return nil
}

// textsOf returns what a value of the file would be on the command line: an array
// is a flag given several times, an object NAME=VALUE for each member.
func textsOf(value json.RawMessage) (texts []string, err error) {
	scalar := func(name string, value json.RawMessage) {
		switch kindOf(value) {
		case '{', '[', 'n':
			err = errors.New("a text, a number, true or false is wanted")
		}
		texts = append(texts, name+textOf(value))
	}
	switch kindOf(value) {
	case '[':
		for item := range items(value) {
			scalar("", item)
		}
	case '{':
		for name, member := range members(value) {
			scalar(name+"=", member)
		}
	default:
		scalar("", value)
	}
	return texts, err
}

// isVariable reports whether the server reads an environment variable of a name.
func (o *options) isVariable(name string) bool {
	return slices.ContainsFunc(o.settings, func(s setting) bool { return name == s.name || name == s.name+"_FILE" })
}

func (o *options) unknownKey(key string) error {
	var names []string
	o.flags.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(notInFile, f.Name) {
			names = append(names, f.Name)
		}
	})
	for _, s := range o.settings {
		names = append(names, s.name)
	}
	return fmt.Errorf("%s: there is no flag or variable of that name%s", printable(key), didYouMean(printable(nearest(key, names))))
}
