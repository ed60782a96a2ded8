package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// longFlags lets long flags be written as in the go command, with one dash:
// -module becomes --module. Single letters and everything after -- stay.
func longFlags(args []string) []string {
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		name, _, _ := strings.Cut(a, "=")
		if len(name) > 2 && name[0] == '-' && name[1] != '-' {
			a = "-" + a
		}
		out = append(out, a)
	}
	return out
}

// flagError turns pflag's errors into usage errors with one dash and a
// suggestion.
func flagError(cmd *cobra.Command, err error) error {
	see := fmt.Sprintf("%s -h lists the flags", cmd.CommandPath())
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if !cmd.HasParent() {
			return unknownRootFlag(cmd, name)
		}
		return usage(didYouMean("-"+name, flagNames(cmd.Flags()), see), "unknown flag -%s", name)
	}
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		f := value.GetFlag()
		return usage(didYouMean(value.GetValue(), choices(f), see), "flag %s: %v", dashed(f), valueError(f, value.GetValue(), value.Unwrap()))
	}
	var missing *pflag.ValueRequiredError
	if errors.As(err, &missing) {
		return usage(see, "flag %s needs a value", dashed(missing.GetFlag()))
	}
	return usage(see, "%v", err)
}

// unknownRootFlag is the error of a flag before any command: toolmill itself has
// none, but a command may have its name.
func unknownRootFlag(root *cobra.Command, name string) error {
	hint := "toolmill -h lists the commands, whose flags stand behind them"
	for _, c := range root.Commands() {
		if c.Name() == name {
			hint = "did you mean toolmill " + name + "?"
		}
	}
	return usage(hint, "unknown flag -%s", name)
}

// valueError says what a flag takes; for booleans and numbers pflag quotes strconv.
func valueError(f *pflag.Flag, value string, err error) error {
	switch {
	case err != nil && f.Value.Type() == "bool":
		return fmt.Errorf("want true or false, got %q", value)
	case err != nil && f.Value.Type() == "int":
		return fmt.Errorf("want a whole number, got %q", value)
	}
	return err
}

// choices are the words that a flag takes, if it takes one of a few.
func choices(f *pflag.Flag) []string {
	if kind := f.Value.Type(); strings.Contains(kind, "|") {
		return strings.Split(kind, "|")
	}
	return nil
}

func dashed(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "-" + f.Name
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, dashed(f)) })
	return names
}

// noArgs accepts flags only.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("", "%s takes no argument, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// help prints a command the way the go command does: one dash, one flag a
// paragraph, in the order in which the flags were declared.
func help(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	fmt.Fprintf(w, "%s\n\n", text)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "Usage:\n\n\t%s COMMAND [flags]\n\nCommands:\n\n", cmd.CommandPath())
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(w, "\t%-10s %s\n", c.Name(), c.Short)
			}
		}
		fmt.Fprintf(w, "\n\"%s COMMAND -h\" says more about one.\n", cmd.CommandPath())
		return
	}
	fmt.Fprintf(w, "Usage:\n\n\t%s\n", cmd.UseLine())
	if cmd.HasAvailableLocalFlags() {
		printFlags(w, cmd.LocalFlags())
	}
}

// sectionFlag marks the flag that a section of the help begins with.
const sectionFlag = "section"

func beginSection(f *pflag.Flag, title string) { annotate(f, sectionFlag, title) }

func annotate(f *pflag.Flag, key string, values ...string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = values
}

func printFlags(w io.Writer, flags *pflag.FlagSet) {
	section := []string{"Flags"}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if begun := f.Annotations[sectionFlag]; begun != nil {
			section = begun
		}
		for _, title := range section {
			fmt.Fprintf(w, "\n%s:\n\n", title)
		}
		section = nil
		kind, text := pflag.UnquoteUsage(f)
		if kind != "" {
			kind = " " + kind
		}
		fmt.Fprintf(w, "\t%s%s\n", dashed(f), kind)
		for line := range strings.Lines(text) {
			fmt.Fprintf(w, "\t\t%s", line)
		}
		fmt.Fprintln(w)
	})
}

// choice is the value of a flag that takes one of a few words.
type choice[T ~string] struct {
	value *T
	words []T
}

// String gives the word chosen; pflag also asks the zero choice.
func (c choice[T]) String() string {
	if c.value == nil {
		return ""
	}
	return string(*c.value)
}

// Type is what help shows after the flag's name: "id|snake".
func (c choice[T]) Type() string {
	var words []string
	for _, w := range c.words {
		words = append(words, string(w))
	}
	return strings.Join(words, "|")
}

func (c choice[T]) Set(s string) error {
	if !slices.Contains(c.words, T(s)) {
		return fmt.Errorf("want %s, got %q", c.Type(), s)
	}
	*c.value = T(s)
	return nil
}
