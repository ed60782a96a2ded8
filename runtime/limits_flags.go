package runtime

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// callFlags are about which tools there are, and when they may be called.
func (o *options) callFlags() {
	f, sel := o.flags, &o.Offer
	f.Func("tool", "offer only tool `NAME`, and what else is named so (repeatable)", adds(&sel.Tools))
	f.Func("tag", "offer only tools of the document's tag `NAME`, and what else is named so (repeatable)", adds(&sel.Tags))
	f.Func("no-tool", "leave out tool `NAME` (repeatable)", adds(&sel.Except))
	f.Func("operation", "offer only tools of this `KIND`: read or write, by their hints", sel.setOperation)
	f.BoolFunc("read-only", "offer only tools that change nothing, by their hints: -operation read", func(text string) error {
		on, err := strconv.ParseBool(text)
		switch {
		case err != nil:
			return errors.New("it must be true or false")
		case on:
			return sel.setOperation("read")
		}
		return nil
	})
	f.Func("confirm", "have people asked before `CALLS`: destructive, write, all or none (default those of tools that the document marks)", o.setConfirm)
	f.Func("confirm-key", "`FILE` with a secret that all servers behind one address share, so that any of them can take the answer to a question", o.setConfirmKey)
	f.Func("max-calls", "`N` calls of one session in flight at most, 0 for no limit (default 64)", most(&o.Limits.Session, "calls"))
	f.Func("max-calls-total", "`N` calls in flight at most, 0 for no limit (default 256)", most(&o.Limits.Total, "calls"))
	f.Func("rate", "let a tool be called so often, all sessions together: `TOOL=N/s`, N/m or N/h (repeatable)", o.setRate)
}

// checkCalls refuses names that no tool has.
func (o *options) checkCalls() error {
	if err := o.Offer.check(o.def); err != nil || len(o.Limits.Rates) == 0 {
		return err
	}
	var tools []string
	for _, t := range o.def.Tools {
		tools = append(tools, t.Name)
	}
	return known("-rate", "tool", slices.Sorted(maps.Keys(o.Limits.Rates)), tools)
}

// most returns the setter of a limit, which is negative for none. What it limits is
// in the plural.
func most(into *int, what string) func(string) error {
	return func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return errors.New("it must be a number of " + what)
		}
		if *into = n; n == 0 {
			*into = -1
		}
		return nil
	}
}

func (o *options) setRate(text string) error {
	i := strings.LastIndexByte(text, '=')
	number, unit, _ := strings.Cut(text[i+1:], "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 1_000_000 || i < 1 {
		return errors.New("it must be like getPet=10/s or getPet=100/m")
	}
	for _, u := range units {
		if unit == u.name[:1] {
			if o.Limits.Rates == nil {
				o.Limits.Rates = map[string]Rate{}
			}
			o.Limits.Rates[text[:i]] = Rate{n, u.length}
			return nil
		}
	}
	return fmt.Errorf("it needs the unit s, m or h, as in %s/s", text[:i+1]+number)
}

func (o *options) setConfirm(text string) error {
	switch c := Confirm(text); c {
	case ConfirmDestructive, ConfirmWrite, ConfirmAll, ConfirmNone:
		o.Confirm = c
		return nil
	}
	return errors.New("there are destructive, write, all and none")
}

func (o *options) setConfirmKey(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return errors.New(reason(err))
	}
	if o.ConfirmKey = trimNewline(string(data)); len(o.ConfirmKey) < minToken {
		return fmt.Errorf("the file needs %d characters at least, such as `openssl rand -hex 32` prints", minToken)
	}
	return nil
}
