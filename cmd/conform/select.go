package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/metalrun/isolated"
	"metalconform/metalrun/sim"
	"metalconform/shaders"
	"metalconform/suite"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "word" }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.of, s) {
		last := len(c.of) - 1
		return fmt.Errorf("want %s or %s", strings.Join(c.of[:last], ", "), c.of[last])
	}
	c.value = s
	return nil
}

// selection is what the commands that run kernels have in common: which cases
// of whose kernels, with which inputs, on what.
type selection struct {
	run         pattern
	sweep       choice
	seed        seed
	spec        specifications
	shaders     string
	backend     choice
	envelope    envelope
	adversaries adversaryCount
	math        config.MathModes
	build       buildFlags
	portable    bool
	forecast    forecasting
	limits      launchLimits
	accuracies  config.Accuracies
	replay      string // the recording of a device
	checks
	config string
	today  config.Date
	strict bool
}

func newSelection() selection {
	return selection{
		sweep: sweepFlag(), seed: 1, backend: choice{"auto", []string{"auto", "metal", "simulator"}},
		envelope: envelope{name: "reference"},
		build:    newBuildFlags(),
	}
}

// checks are what the simulator does besides: commands that measure time leave
// them out.
type checks struct {
	on, sameValue bool
	work          bool // counted, on the simulator
	schedule      uint64
}

// add defines the flags.
func (c *checks) add(flags *pflag.FlagSet) {
	flags.BoolVar(&c.on, "check", true, "on the simulator, report races, uninitialised memory and whatever else Metal leaves undefined; -check=false runs faster")
	flags.BoolVar(&c.sameValue, "same-value", false, "let threads write the same value to the same location in any order")
	flags.Uint64Var(&c.schedule, "schedule", 0, "on the simulator, run simdgroups one after another between barriers, in orders drawn from seed `N`, which shows what a race does to the results; switches the checks off")
}

// flag is the first flag given that only the simulator has, or "".
func (c checks) flag() string {
	switch {
	case c.schedule != 0:
		return fmt.Sprintf("-schedule %d", c.schedule)
	case c.sameValue:
		return "-same-value"
	}
	return ""
}

// replayFlags are those that differ from what a run has by itself.
func (c checks) replayFlags() []string {
	var flags []string
	if flag := c.flag(); flag != "" {
		flags = append(flags, flag)
	}
	if !c.on && c.schedule == 0 {
		flags = append(flags, "-check=false")
	}
	return flags
}

// set enters them in the semantics of a simulator.
func (c checks) set(m *sim.Semantics) {
	m.Check, m.SameValue, m.Schedule, m.Count = c.on && c.schedule == 0, c.sameValue, c.schedule, c.work
}

// add defines the flags.
func (s *selection) add(flags *pflag.FlagSet) {
	flags.Var(&s.run, "run", "only cases whose name matches `REGEX`")
	flags.Var(&s.sweep, "sweep", "the `quick|full` sweep; quick if not given")
	flags.Var(&s.seed, "seed", "draw all inputs from seed `N`, or from a random one; 1 if not given")
	flags.Var(&s.spec, "spec", specUsage)
	flags.Var(packFlag{&s.spec}, "pack", packUsage)
	s.spec.addLimits(flags)
	flags.StringVar(&s.shaders, "shaders", "", "take the kernels from the .metal files under `DIR` instead of ours")
	s.addDevice(flags)
	flags.Var(&s.math, "math", config.MathUsage+"; several with commas between them, or all for each of the three; bounds follow; as DIR/conform.toml has it if not given, or safe")
	s.build.add(flags)
	flags.BoolVar(&s.portable, "portable", false, "simulate without vector instructions: the same results, slower")
	flags.StringVar(&s.config, "config", "", "take declarations from `FILE` instead of DIR/conform.toml")
	flags.Var(&s.today, "today", "let declarations expire as of `DATE`; today if not given")
}

// addDevice defines the flags that choose a device.
func (s *selection) addDevice(flags *pflag.FlagSet) {
	flags.Var(&s.backend, "backend", "run on `auto|metal|simulator`; auto is Metal where there is a device")
	flags.Var(&s.envelope, "semantics", semanticsUsage)
	s.limits.add(flags, isolated.DefaultLimits.Request, "take a launch, or a compilation by Metal, for one that hangs after `DURATION`; 2m if not given")
}

// cases are the selected cases and the shaders that they are to judge, under the
// contracts that are declared.
func (s selection) cases(ctx context.Context, declared *suite.Declarations) ([]suite.Case, *suite.Shaders, error) {
	if s.spec.given() && s.shaders == "" {
		return nil, nil, exit.Usagef("-spec: say with -shaders DIR where the kernels are")
	}
	open := func() (*suite.Shaders, error) { return s.openShaders(ctx, "-shaders", s.shaders, declared) }
	return s.varied(declared, open)
}

// varied are the selected cases in the variants that the shaders have.
func (s selection) varied(declared *suite.Declarations, open func() (*suite.Shaders, error)) (cases []suite.Case, source *suite.Shaders, err error) {
	run := s.run
	if declared.Varies() || len(s.math.Modes) > 0 {
		run = pattern{} // variants and modes are part of a case's name
	}
	if cases, err = selectCases(s.families(declared), run, s.sweep); err != nil {
		return nil, nil, err
	}
	if source, err = open(); err != nil {
		return nil, nil, err
	}
	if cases = source.InModes(source.Varied(cases), declared, s.math.Modes); run != s.run {
		cases, err = matching(cases, s.run, s.sweep)
	}
	return cases, source, err
}

// variedCatalogue are all cases of a sweep in the variants that the shaders have.
func (s selection) variedCatalogue(source *suite.Shaders, declared *suite.Declarations) func(suite.Set) []suite.Case {
	return func(set suite.Set) []suite.Case {
		return source.InModes(source.Varied(s.spec.cases(set)), declared, s.math.Modes)
	}
}

// addOne registers the flags of commands about one case, which says itself what -run and
// -sweep would.
func (s *selection) addOne(flags *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.add(all)
	all.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "run" && flag.Name != "sweep" {
			flags.AddFlag(flag)
		}
	})
}

// one is the case called name with what a run on a device needs to judge it. Its shaders are to be released.
// That declarations have expired is for conform run to say.
func (s selection) one(ctx context.Context, name string, on metalrun.Device) (c suite.Case, opts suite.Options, err error) {
	declared, _, err := s.declarations()
	if err != nil {
		return c, opts, err
	}
	s.accuracies.Adopt(declared, on)
	all := suite.Cases(s.families(declared), suite.Full)
	if !declared.Varies() && len(s.math.Modes) == 0 && !strings.Contains(name, suite.MathPart) {
		if c, err = findCase(all, name); err != nil {
			return c, opts, err
		}
	}
	source, err := s.openShaders(ctx, "-shaders", s.shaders, declared)
	if err != nil {
		return c, opts, err
	}
	if c, err = s.caseIn(source, declared, all, name); err != nil {
		source.Release()
		return c, opts, err
	}
	if err := requireOne(source, []suite.Case{c}, s.shaders); err != nil {
		source.Release()
		return c, opts, err
	}
	return c, s.options(source, declared), nil
}

// caseAndElement are the arguments of commands about one case.
func caseAndElement(_ *cobra.Command, args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return exit.Usagef("want a case and perhaps an element of it (conform list -cases shows the names)")
	}
	return nil
}

// selectorOf is what the second argument names, if there is one.
func selectorOf(args []string) (at suite.Selector, err error) {
	if len(args) == 2 {
		if at, err = suite.ParseSelector(args[1]); err != nil {
			return at, exit.Usagef("%v", err)
		}
	}
	return at, nil
}

// caseIn is the case called name, in the mode that the name or a flag says, or else as it is declared.
func (s selection) caseIn(source *suite.Shaders, declared *suite.Declarations, all []suite.Case, name string) (suite.Case, error) {
	modes := s.math.Modes
	base, mode, named := strings.Cut(name, suite.MathPart)
	if named {
		m, err := metalrun.ParseMath(mode)
		if err != nil {
			return suite.Case{}, exit.Usagef("%s: %v", name, err)
		}
		modes = []metalrun.Math{m}
	}
	if len(modes) > 1 {
		modes = nil // a name that says no mode has the declared one
	}
	c, err := findCase(source.Varied(all), base)
	if err != nil {
		return c, err
	}
	return source.InModes([]suite.Case{c}, declared, modes)[0], nil
}

// options are those of a run of the cases.
func (s selection) options(source *suite.Shaders, declared *suite.Declarations) suite.Options {
	opts := suite.Options{
		Shaders: source, Seed: uint64(s.seed), ReplayFlags: s.replayFlags(), Adversary: s.own(), Declared: declared, Strict: s.strict || s.shaders == "" || declared != nil && declared.Strict, Today: s.today.Midnight(),
	}
	if s.spec.given() {
		opts.Exact, opts.Losses = exactness{inFloat64}.devices(s.limits), true
	}
	return opts
}

// replayFlags are the flags that a command which repeats a case needs besides
// its name, seed and sweep.
func (s selection) replayFlags() string {
	var flags []string
	flags = append(flags, s.spec.replayFlags()...)
	if s.shaders != "" {
		flags = append(flags, "-shaders "+quote(s.shaders))
	}
	if len(s.math.Modes) > 0 {
		flags = append(flags, "-math "+s.math.String())
	}
	if s.envelope.given {
		flags = append(flags, "-semantics "+s.envelope.String())
	}
	if s.adversaries.given {
		flags = append(flags, "-adversaries "+s.adversaries.String())
	}
	if s.replay != "" {
		flags = append(flags, "-replay "+quote(s.replay))
	}
	if s.backend.value != "auto" {
		flags = append(flags, "-backend "+s.backend.value)
	}
	if s.portable {
		flags = append(flags, "-portable")
	}
	if s.accuracies.File != "" {
		flags = append(flags, "-accuracies "+quote(s.accuracies.File))
	}
	flags = append(flags, s.build.replayFlags()...)
	flags = append(flags, s.limits.replayFlags()...)
	flags = append(flags, s.checks.replayFlags()...)
	if s.strict {
		flags = append(flags, "-strict")
	}
	if s.config != "" {
		flags = append(flags, "-config "+quote(s.config))
	}
	if !s.today.IsZero() {
		flags = append(flags, "-today "+s.today.String())
	}
	return strings.Join(flags, " ")
}

// quote spells s for a shell.
func quote(s string) string {
	if !strings.ContainsAny(s, " \t\n'\"\\$&|;<>()*?[]{}~#!`") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// sweepFlag is the choice of a set of cases.
func sweepFlag() choice { return choice{"quick", []string{"quick", "full"}} }

// set is the set of cases that the flag names.
func set(sweep choice) suite.Set {
	if sweep.value == "full" {
		return suite.Full
	}
	return suite.Quick
}

// pattern is a flag that holds a regular expression, nil if not given.
type pattern struct{ *regexp.Regexp }

func (p *pattern) String() string {
	if p.Regexp == nil {
		return ""
	}
	return p.Regexp.String()
}
func (p *pattern) Type() string { return "regexp" }
func (p *pattern) Set(s string) error {
	compiled, err := suite.CompilePattern(s)
	p.Regexp = compiled.Regexp
	return err
}

// seed is a flag that holds the seed of all inputs.
type seed uint64

func (s *seed) String() string { return strconv.FormatUint(uint64(*s), 10) }
func (s *seed) Type() string   { return "seed" }
func (s *seed) Set(text string) error {
	if text == "random" {
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return err
		}
		*s = seed(binary.LittleEndian.Uint64(b[:]))
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("want a number from 0 to 2^64-1, or random")
	}
	*s = seed(n)
	return nil
}

// selectCases are the cases of the families whose names match run.
func selectCases(families []suite.Family, run pattern, sweep choice) ([]suite.Case, error) {
	return matching(suite.Cases(families, set(sweep)), run, sweep)
}

// matching are the cases whose names match run.
func matching(cases []suite.Case, run pattern, sweep choice) ([]suite.Case, error) {
	if run.Regexp == nil {
		return cases, nil
	}
	cases = slices.DeleteFunc(cases, func(c suite.Case) bool { return !run.MatchString(c.Name) && !run.MatchString(c.Drawn()) })
	if len(cases) == 0 {
		return nil, exit.Usagef("-run %q: no case of the %s sweep has such a name (conform list -cases shows them)", run.String(), sweep.value)
	}
	return cases, nil
}

// frontEnd is the key of a context's [suite.Analyse], for those who watch it at
// work.
type frontEnd struct{}

// front is the front end of a context.
func front(ctx context.Context) suite.Analyse {
	if analyse, watched := ctx.Value(frontEnd{}).(suite.Analyse); watched {
		return analyse
	}
	return metalrun.Analyse
}

// openOurs opens the kernels that this program has.
func openOurs(ctx context.Context) (*suite.Shaders, error) {
	return suite.OpenTrusted(shaders.FS, front(ctx))
}

// openShaders opens the kernels under test: ours, or those of the directory that a flag names, as
// they are to be built.
func (s *selection) openShaders(ctx context.Context, flag, dir string, declared *suite.Declarations) (*suite.Shaders, error) {
	if dir == "" {
		if s.build.given() {
			return nil, exit.Usagef("the options of a compiler are for the kernels of a directory: give -shaders DIR too")
		}
		return openOurs(ctx)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, exit.Usagef("%s: %v", flag, err)
	} else if !info.IsDir() {
		return nil, exit.Usagef("%s: %s is not a directory", flag, dir)
	}
	variant := func(name string) suite.Analyse { return s.build.front(front(ctx), dir, declared, name) }
	root, err := os.OpenRoot(dir) // links that leave it are refused
	if err != nil {
		return nil, exit.Usagef("%s: %v", flag, err)
	}
	analyse, opening := variant(""), atomic.Bool{}
	opening.Store(true)
	source, err := suite.OpenShaders(s.build.Memory.FS(root.FS()), func(src metalrun.Source, o metalrun.CompileOptions) (*metalrun.Program, error) {
		if opening.Load() && ctx.Err() != nil { // there may be very many files
			return nil, ctx.Err()
		}
		return analyse(src, o)
	})
	opening.Store(false)
	switch {
	case err != nil:
		return nil, exit.Usagef("%s %s: %v", flag, dir, err)
	case ctx.Err() != nil:
		return nil, exit.With(exit.Device, fmt.Errorf("interrupted while the files of %s were read", dir))
	}
	source.Exclude(declared)
	source.Vary(declared, variant)
	return source, nil
}

// requireOne fails if the shaders of dir have none of the kernels that the cases
// judge: a run that judges nothing must not look like one that passed.
func requireOne(s *suite.Shaders, cases []suite.Case, dir string) error {
	if dir == "" {
		return nil
	}
	known := map[string]bool{} // to be absent; every kernel has many cases
	absent := func(kernel string) bool {
		if _, asked := known[kernel]; !asked {
			_, _, err := s.Find(kernel)
			known[kernel] = errors.Is(err, suite.ErrAbsent)
		}
		return known[kernel]
	}
	for _, c := range cases {
		if !slices.ContainsFunc(c.Kernels(), absent) {
			return nil
		}
	}
	text := ""
	for _, b := range s.Broken() {
		text += "\n" + b.Error()
	}
	return exit.Usagef("-shaders %s: no file exports any of the kernels to be judged (conform list names them; conform new specifies one of your own)%s", dir, text)
}

// declarations are those about the shaders that are in force, and what is wrong with
// the others.
func (s selection) declarations() (counting *suite.Declarations, expired []suite.Outdated, err error) {
	all, err := config.ReadDeclarations(s.config, s.shaders, s.today.Midnight(), s.spec.cases)
	counting, expired = all.On(s.today.Midnight())
	return counting, expired, err
}

// families are the catalogue's with what is declared of their contracts, and with what
// is measured of functions.
func (s selection) families(declared *suite.Declarations) []suite.Family {
	all := declared.Families(s.spec.catalogue())
	m := s.accuracies.Measured()
	if m == nil {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].Kernels = slices.Clone(all[i].Kernels)
		for j := range all[i].Kernels {
			all[i].Kernels[j].Contract.Measured = m
		}
	}
	return all
}
