package main

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed7346ab69/toolmill/parse/diet"
)

// dietPrefix begins the flags of a diet's steps.
const dietPrefix = "diet-"

// dietFlags declares a flag for each step of the diet.
func (s *settings) dietFlags(flags *pflag.FlagSet) {
	for i, step := range diet.Steps() {
		f := flags.VarPF(&dietStep{s.diet, step.Name, ""}, dietPrefix+step.Name, "", step.About+" ("+step.Level+")")
		f.NoOptDefVal = "true"
		if i == 0 {
			beginSection(f, "Steps of the diet: each cuts what it names, or with =false leaves it, whatever the level")
		}
	}
}

// isDiet reports whether a flag is about the diet.
func isDiet(f *pflag.Flag) bool { return f.Name == "diet" || strings.HasPrefix(f.Name, dietPrefix) }

// dietStep is the value of a flag that switches one step of a diet.
type dietStep struct {
	plan *diet.Plan
	name string
	text string // empty: as the level says
}

// String is what was set.
func (d *dietStep) String() string { return d.text }

// Type makes it a boolean for help and for errors.
func (d *dietStep) Type() string { return "bool" }

// Set switches the step.
func (d *dietStep) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return err
	}
	d.plan.Switch(d.name, on)
	d.text = strconv.FormatBool(on)
	return nil
}
