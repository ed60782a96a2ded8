package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// configFile is read from the current directory when -config names no other.
const configFile = "toolmill.yaml"

// otherConfigFile has the ending that people may give it, and is not read.
const otherConfigFile = "toolmill.yml"

// runFlags are what one run is told; a file would say it of every run.
var runFlags = []string{"config", "check", "dry-run", "json"}

const valueHint = `"toolmill generate -h" says what each flag takes, "toolmill lint -h" those of lint`

// readConfig sets the flags that the file holds and the command line does not.
// A file that is not there is an error only if it was named.
func readConfig(name string, flags *pflag.FlagSet, diags *diag.List) error {
	named := name != ""
	if !named {
		name = configFile
		if _, err := os.Stat(otherConfigFile); err == nil {
			diags.Add(diag.Diagnostic{
				Pos: diag.Pos{File: otherConfigFile}, Severity: diag.Warning, Code: "config-not-read",
				Message: "the file is not read: the config file is called " + configFile,
				Hint:    "rename it, or pass -config " + otherConfigFile,
			})
		}
	}
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return usage("", "-config %s: there is no such file", name)
	case err != nil:
		return usage("", "-config %s: %v", name, err)
	}
	file := &node.File{Name: name, Location: name}
	if err := node.Parse(file, data); err != nil {
		var syntax *node.SyntaxError
		if !errors.As(err, &syntax) {
			return err
		}
		diags.Error(syntax.Pos, syntax.Code, syntax.Hint, "%s", syntax.Message)
		return nil
	}
	if file.Root.Kind == node.Null {
		return nil
	}
	if !file.Root.IsMap() {
		diags.Error(file.Root.Pos(), "bad-config", "write flags by name, for example\nsource: petstore.yaml\noutput: ./petstore",
			"want a mapping, not a %s", file.Root.Kind)
		return nil
	}
	setFlags(file.Root, "", filepath.Dir(name), flags, diags)
	return nil
}

// setFlags sets the flags of a mapping whose keys stand for prefix and key. A
// mapping below it holds flags whose names begin with its key and a dot.
func setFlags(n *node.Node, prefix, dir string, flags *pflag.FlagSet, diags *diag.List) {
	for key, value := range n.Pairs() {
		name := prefix + key.Value
		flag := flags.Lookup(name)
		switch {
		case flag == nil && value.IsMap() && slices.ContainsFunc(keys(flags), func(k string) bool { return strings.HasPrefix(k, name+".") }):
			setFlags(value, name+".", dir, flags, diags)
		case flag == nil:
			diags.Error(key.Pos(), "unknown-key", keyHint(name, keys(flags)), "unknown key %q", name)
		case flag.Changed:
		default:
			if err := setFlag(flag, value, dir); err != nil {
				diags.Error(value.Pos(), "bad-value", valueHint, "%s: %v", name, err)
			}
		}
	}
}

// keyHint says what a key that is none may have been meant for.
func keyHint(name string, known []string) string {
	switch {
	case slices.Contains(runFlags, name):
		return "it is for the command line only: -" + name
	case name == "o" || name == "out":
		return "did you mean output?"
	}
	return didYouMean(name, known, `the keys are source and the long flags of "toolmill generate -h", without `+strings.Join(runFlags, ", "))
}

// setFlag gives a flag the value of a config file in folder dir.
func setFlag(flag *pflag.Flag, value *node.Node, dir string) error {
	list, isList := flag.Value.(pflag.SliceValue)
	if !isList {
		word, err := scalar(flag, value, dir)
		if err != nil {
			return err
		}
		return valueError(flag, word, flag.Value.Set(word))
	}
	members := value.List()
	if value.Kind != node.Sequence {
		members = []*node.Node{value}
	}
	var words []string
	for _, n := range members {
		word, err := scalar(flag, n, dir)
		if err != nil {
			return err
		}
		words = append(words, word)
	}
	return list.Replace(words)
}

// scalar reads one value; paths are relative to the folder of the file.
func scalar(flag *pflag.Flag, n *node.Node, dir string) (string, error) {
	switch n.Kind {
	case node.Null:
		return "", errors.New("no value")
	case node.Sequence, node.Mapping:
		return "", fmt.Errorf("want a single value, not a %s", n.Kind)
	}
	word := n.Text()
	if _, path := flag.Annotations[pathFlag]; path && !filepath.IsAbs(word) && !strings.Contains(word, "://") {
		word = filepath.Join(dir, word)
	}
	return word, nil
}

func keys(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
