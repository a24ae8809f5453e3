package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/internal/checkout"
	"metalconform/internal/exit"
	"metalconform/reports"
	"metalconform/suite/kernels"

	"github.com/spf13/pflag"
)

// policyEntry is the table [policy] of a file of declarations.
type policyEntry struct {
	Fail     []string           `toml:"fail"`     // verdicts, accuracy, times, work
	Alpha    *float64           `toml:"alpha"`    // chance of any false change
	Error    *float64           `toml:"error"`    // least growth that counts, as a fraction
	Bias     *float64           `toml:"bias"`     // the same of the systematic part
	Headroom *float64           `toml:"headroom"` // part that may be lost
	Time     *float64           `toml:"time"`     // least growth that counts, as a fraction
	Families map[string]float64 `toml:"families"` // the same by family

	Work         *float64           `toml:"work"`          // least growth of counted work that counts, as a fraction
	WorkFamilies map[string]float64 `toml:"work_families"` // the same by family

	Unexecuted []string `toml:"unexecuted"` // files whose changed lines no case need execute; all stands for every file

	Loosened  []string `toml:"loosened"`  // kernels whose specifications may ask for less than at the base of a gate
	Undecided *float64 `toml:"undecided"` // share of a kernel's elements that may stay undecided, in any run
}

// PolicyFlags say by what a comparison is judged.
type PolicyFlags struct {
	Config   string
	Checkout *checkout.Checkout // that has the policy
	fail     aspects
	error    Percent
	Time     Percent
	grow     factor
}

// Add defines the flags.
func (f *PolicyFlags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Config, "config", "",
		"take the policy from the table [policy] in `FILE`; if not given, from conform.toml next to the shaders "+
			"of HEAD, if there is one")
	flags.Var(&f.fail, "fail",
		"fail on what regresses in `ASPECTS`, separated by commas: verdicts, accuracy, times, work, forecast, or "+
			"none; all of them if neither this nor the policy says otherwise")
	flags.Var(&f.error, "least-error",
		"smallest growth of errors that counts, in `PERCENT`; 10 if neither this nor the policy says otherwise")
	flags.Var(&f.Time, "least-time",
		"smallest growth of a time that counts, in `PERCENT`; 5 if neither this nor the policy says otherwise")
	f.AddGrow(flags)
}

// AddGrow defines -grow.
func (f *PolicyFlags) AddGrow(flags *pflag.FlagSet) {
	flags.Var(&f.grow, "grow",
		"smallest growth of counted work that counts, as a `FACTOR`; 1.5 if neither this nor the policy says otherwise")
}

// factor is a flag that holds a number above 1.
type factor float64

func (f *factor) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }
func (f *factor) Type() string   { return "factor" }
func (f *factor) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x > 1) || math.IsInf(x, 0) {
		return errors.New("want a number above 1")
	}
	*f = factor(x)
	return nil
}

// aspects is a flag that lists aspects.
type aspects struct {
	list  []reports.Aspect
	given bool
}

func (a *aspects) String() string { return "" }
func (a *aspects) Type() string   { return "aspects" }
func (a *aspects) Set(text string) (err error) {
	a.given = true
	if text == "none" {
		a.list = nil
		return nil
	}
	a.list, err = aspectsOf(strings.Split(text, ","))
	return err
}

// aspectsOf are those of the names.
func aspectsOf(names []string) ([]reports.Aspect, error) {
	var list []reports.Aspect
	for _, name := range names {
		a := reports.Aspect(strings.TrimSpace(name))
		if !slices.Contains(reports.Aspects(), a) {
			return nil, fmt.Errorf("%q is no aspect: want verdicts, accuracy, times, work or forecast", name)
		}
		list = append(list, a)
	}
	return list, nil
}

// Policy is what head is judged by: the flags, before what is declared beside its
// shaders, before the defaults.
func (f PolicyFlags) Policy(head reports.Run) (reports.Policy, error) {
	p, err := f.declared(head)
	if err != nil {
		return p, err
	}
	var given []string
	if f.fail.given {
		p.Fail, given = f.fail.list, append(given, "-fail")
	}
	if f.error > 0 {
		p.Error, given = float64(f.error)/100, append(given, "-least-error")
	}
	if f.Time > 0 {
		p.Time, p.Families, given = float64(f.Time)/100, nil, append(given, "-least-time")
	}
	if f.grow > 0 {
		p.Work, p.WorkFamilies, given = float64(f.grow)-1, nil, append(given, "-grow")
	}
	if len(given) > 0 {
		p.Source += " with " + strings.Join(given, ", ")
	}
	return p, nil
}

// declared is the policy of the file, or the default.
func (f PolicyFlags) declared(head reports.Run) (reports.Policy, error) {
	file, text, err := Read(f.Checkout, f.Config, head.Root)
	switch {
	case err != nil:
		return reports.Policy{}, err
	case file == "":
		return reports.DefaultPolicy(), nil
	}
	c, err := decode(file, text)
	if err == nil && c.Policy == nil {
		return reports.DefaultPolicy(), nil
	}
	if err == nil {
		var p reports.Policy
		if p, err = c.Policy.policy(file, linesOf(text)); err == nil {
			return p, nil
		}
	}
	return reports.Policy{}, exit.With(exit.Usage, err)
}

// policy is the default with what the table says in it. Its error names every mistake.
func (e policyEntry) policy(file string, lines lines) (reports.Policy, error) {
	p := reports.DefaultPolicy()
	p.Source = fmt.Sprintf("%s:%d", file, lines["policy"])
	var wrong []error
	mistake := func(key, format string, args ...any) {
		line, ok := lines["policy."+key]
		if !ok {
			line = lines["policy"]
		}
		wrong = append(wrong, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...)))
	}
	if e.Fail != nil {
		list, err := aspectsOf(e.Fail)
		if p.Fail = list; err != nil {
			mistake("fail", "%v", err)
		}
	}
	for _, x := range []struct {
		key  string
		from *float64
		to   *float64
	}{{"alpha", e.Alpha, &p.Alpha}, {"error", e.Error, &p.Error}, {"bias", e.Bias, &p.Bias},
		{"headroom", e.Headroom, &p.Headroom}, {"time", e.Time, &p.Time}, {"work", e.Work, &p.Work}} {
		if x.from == nil {
			continue
		}
		if *x.to = *x.from; !(0 < *x.to && *x.to < 1) && !(x.key == "error" || x.key == "time" || x.key == "work") ||
			!(*x.to > 0) {
			mistake(x.key, "%s = %v: want a fraction above 0, such as %v", x.key, *x.from, 0.05)
		}
	}
	p.Families, p.WorkFamilies = e.Families, e.WorkFamilies
	if len(e.Loosened) > 0 {
		p.Loosened = e.Loosened
	}
	if len(e.Unexecuted) > 0 {
		p.Unexecuted = e.Unexecuted
	}
	if u := e.Undecided; u != nil && !(0 <= *u && *u <= 1) {
		mistake("undecided", "undecided = %v: want a share from 0 to 1, such as %v", *u, 0.05)
	}
	var known []string
	for _, f := range kernels.All() {
		known = append(known, f.Name)
	}
	for _, of := range []struct {
		key      string
		families map[string]float64
	}{{"families", e.Families}, {"work_families", e.WorkFamilies}} {
		for _, name := range slices.Sorted(maps.Keys(of.families)) {
			switch least := of.families[name]; {
			case !slices.Contains(known, name) && name != "pipelines":
				mistake(of.key, "no family is called %q%s", name, DidYouMean(name, known))
			case !(least > 0):
				mistake(of.key, "%s = %v: want a fraction above 0", name, least)
			}
		}
	}
	return p, errors.Join(wrong...)
}

// Percent is a flag that holds a part of a hundred.
type Percent float64

func (p *Percent) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }

func (p *Percent) Type() string { return "percent" }

func (p *Percent) Set(s string) error {
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(0 < x && x < 100) {
		return errors.New("want a number above 0 and below 100")
	}
	*p = Percent(x)
	return nil
}
