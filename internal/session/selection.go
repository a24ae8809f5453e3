package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"metalconform/internal/budget"
	"metalconform/internal/checkout"
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/metalrun/isolated"
	"metalconform/metalrun/sim"
	"metalconform/shaders"
	"metalconform/suite"

	"github.com/spf13/pflag"
)

// Selection is what the commands that run kernels have in common: which cases
// of whose kernels, with which inputs, on what.
type Selection struct {
	Run         Pattern
	Sweep       Choice
	Seed        Seed
	Spec        Specifications
	Shaders     string
	Backend     Choice
	Semantics   SemanticsFlag
	Adversaries AdversaryCount
	Math        config.MathModes
	Build       BuildFlags
	Portable    bool
	Forecast    ForecastFlag
	Limits      LaunchLimits
	Accuracies  config.Accuracies
	Replay      string // the recording of a device
	Checks
	Config string
	Today  config.Date
	Strict bool
	Exact  Exactness

	Origins

	project

	Narrow bool         // files of Shaders that the selected cases do not need may be left out
	few    []suite.Case // of kernels that -run may take, for which files are needed; nil: all files are
}

// Origins are the states of the repository that files are read from; nil is the work tree.
type Origins struct {
	Rules   *checkout.Checkout // has specifications, declarations and all else that decides
	Kernels *checkout.Checkout // has what is judged, with what options of the compiler lead to

	Constants *suite.Shaders // has the constants that inputs are made from; nil: the kernels that are judged
}

// project is what a directory says in place of flags.
type project struct {
	catalogue bool     // kernels are judged by the catalogue, whatever the directory specifies
	only      []string // files of Shaders of which kernels are judged; all if empty
	found     bool     // Shaders is the working directory, which no flag names
	mathFound bool     // Math is what conform.toml says
}

// NewSelection is the selection before any flag is given.
func NewSelection() Selection {
	return Selection{
		Sweep: SweepFlag(), Seed: suite.DefaultSeed, Backend: Choice{"auto", []string{"auto", "metal", "simulator"}},
		Semantics: SemanticsFlag{Name: "reference"},
		Build:     newBuildFlags(),
	}
}

// Checks are what the simulator does besides: commands that measure time leave
// them out.
type Checks struct {
	Enabled, sameValue bool
	Work               bool // counted, on the simulator
	schedule           uint64
}

// Add defines the flags.
func (c *Checks) Add(flags *pflag.FlagSet) {
	flags.BoolVar(&c.Enabled, "check", true,
		"on the simulator, report races, uninitialised memory and whatever else Metal leaves undefined; -check=false "+
			"runs faster")
	flags.BoolVar(&c.sameValue, "same-value", false,
		"allow threads to write the same value to the same location in any order")
	flags.Uint64Var(&c.schedule, "schedule", 0,
		"on the simulator, run simdgroups one after another between barriers, in orders drawn from seed `N`, which "+
			"shows what a race does to the results; switches the checks off")
}

// flag is the first flag given that only the simulator has, or "".
func (c Checks) flag() string {
	switch {
	case c.schedule != 0:
		return fmt.Sprintf("-schedule %d", c.schedule)
	case c.sameValue:
		return "-same-value"
	}
	return ""
}

// replayFlags are those that differ from what a run has by itself.
func (c Checks) replayFlags() []string {
	var flags []string
	if flag := c.flag(); flag != "" {
		flags = append(flags, flag)
	}
	if !c.Enabled && c.schedule == 0 {
		flags = append(flags, "-check=false")
	}
	return flags
}

// set enters them in the semantics of a simulator.
func (c Checks) set(m *sim.Semantics) {
	m.Check, m.SameValue, m.Schedule, m.Count = c.Enabled && c.schedule == 0, c.sameValue, c.schedule, c.Work
}

// Add defines the flags.
func (s *Selection) Add(flags *pflag.FlagSet) {
	flags.Var(&s.Run, "run", "only cases whose name matches `REGEX`")
	flags.Var(&s.Sweep, "sweep", "the `quick|full` sweep; quick if not given")
	flags.Var(&s.Seed, "seed", "draw all inputs from seed `N`, or from a random one; 1 if not given")
	flags.Var(&s.Spec, "spec", SpecUsage)
	flags.Var(PackFlag{Of: &s.Spec}, "pack", PackUsage)
	if s.Spec.Budget == nil {
		s.Spec.Budget = budget.New(budget.Own)
	}
	s.Build.Bounds.Run = s.Spec.Budget
	s.Spec.AddLimits(flags)
	AddBudget(flags, s.Spec.Budget)
	flags.StringVar(&s.Shaders, "shaders", "", "take the kernels from the .metal files under `DIR` instead of "+
		"Conform's own")
	s.AddCatalogue(flags)
	s.AddDevice(flags)
	flags.Var(&s.Math, "math",
		config.MathUsage+"; several modes with commas between them, or all; as "+
			"DIR/conform.toml has it if not given, or safe")
	s.Build.Add(flags)
	flags.BoolVar(&s.Portable, "portable", false, "simulate without vector instructions: the same results, slower")
	flags.StringVar(&s.Config, "config", "", "take declarations from `FILE` instead of DIR/conform.toml")
	flags.Var(&s.Today, "today", "let declarations expire as of `DATE`; today if not given")
}

// AddCatalogue defines the flag that looks for no project.
func (s *Selection) AddCatalogue(flags *pflag.FlagSet) {
	flags.BoolVar(&s.catalogue, "catalogue", false,
		"judge by the catalogue even if there are specifications: Conform's own kernels, or those of -shaders")
}

// AddDevice defines the flags that choose a device.
func (s *Selection) AddDevice(flags *pflag.FlagSet) {
	flags.Var(&s.Backend, "backend", "run on `auto|metal|simulator`; auto is Metal where there is a device")
	flags.Var(&s.Semantics, "semantics", SemanticsUsage)
	s.Limits.Add(flags, isolated.DefaultLimits.Request,
		"end a launch, or a compilation by Metal, after `DURATION`; on the simulator a second counts as 2^32 "+
			"steps; 2m if not given")
}

// Load are the selected cases and the shaders that they are to judge, under the
// contracts that are declared.
func (s Selection) Load(ctx context.Context, declared *suite.Declarations) ([]suite.Case, *suite.Shaders, error) {
	if s.Spec.Given() && s.Shaders == "" {
		return nil, nil, exit.Usagef("-spec: say with -shaders DIR where the kernels are")
	}
	if s.Spec.Given() && s.Exact.declined() {
		return nil, nil, exit.Usagef("-exact=false: exact execution gives the bounds of specifications")
	}
	if s.mayNarrow(declared) {
		s.few = s.mayMatch(declared)
	}
	open := func() (*suite.Shaders, error) { return s.OpenShaders(ctx, "-shaders", s.Shaders, declared) }
	return s.Vary(declared, open)
}

// mayMatch are the cases of kernels of which a case may match -run in some mode.
func (s Selection) mayMatch(declared *suite.Declarations) []suite.Case {
	if s.few != nil {
		return slices.Clone(s.few)
	}
	return s.casesOf(declared, SetOf(s.Sweep), s.Run.names(s.endings()))
}

// endings are what a mode may add to the name of a case.
func (s Selection) endings() []string {
	list := []string{""}
	for _, m := range slices.Concat(s.Math.Modes, s.unsaid()) {
		list = append(list, suite.MathPart+m.String())
	}
	return list
}

// mayNarrow reports whether files may be left out that the selected cases do not need: where nothing is declared of
// files, no kernel is required, and files have no variants.
func (s Selection) mayNarrow(declared *suite.Declarations) bool {
	return s.Narrow && s.Run.Regexp != nil && len(s.only) == 0 &&
		(declared == nil || len(declared.Exclusions)+len(declared.Absences)+len(declared.Required) == 0 &&
			!declared.Varies())
}

// Vary are the selected cases in the variants that the shaders have.
func (s Selection) Vary(declared *suite.Declarations, open func() (*suite.Shaders, error)) (cases []suite.Case,
	source *suite.Shaders, err error) {
	switch {
	case declared.Varies(): // a variant is part of a case's name
		cases, err = s.candidates(declared, Pattern{})
	case len(s.Math.Modes)+len(s.unsaid()) > 0: // and so is a mode
		if cases = s.mayMatch(declared); len(cases) == 0 {
			_, err = s.matching(nil, s.Run)
		}
	default:
		cases, err = s.candidates(declared, s.Run)
	}
	if err != nil {
		return nil, nil, err
	}
	if source, err = open(); err != nil {
		return nil, nil, err
	}
	source.Define(cases)
	if err := s.affordVariants(source, cases); err != nil {
		return nil, nil, err
	}
	cases = source.InModes(source.Varied(cases), declared, s.Math.Modes, s.unsaid()...)
	cases = suite.WithConstants(cases, cmp.Or(s.Constants, source), s.wanted)
	if cases, err = s.matching(cases, s.Run); err == nil {
		cases, err = s.inFiles(cases, source)
	}
	if err == nil {
		err = s.Spec.afford(cases, s.devices())
	}
	return cases, source, err
}

// wanted reports whether -run takes a case of that name, or names its kernel: then it may take others of the kernel.
func (s Selection) wanted(name string) bool {
	kernel, _, _ := strings.Cut(name, "/")
	return s.Run.Regexp == nil || s.Run.MatchString(name) || strings.Contains(s.Run.String(), kernel)
}

// unsaid are the modes of kernels of which nothing says how they are built; none if a flag says so, or if our own
// kernels are judged.
func (s Selection) unsaid() []metalrun.Math {
	if !s.Spec.Given() || s.Math.One || len(s.Math.Modes) > 0 {
		return nil
	}
	return suite.UnsaidMaths()
}

// VariedCatalogue are all cases of a sweep in the variants that the shaders have.
func (s Selection) VariedCatalogue(source *suite.Shaders, declared *suite.Declarations) func(suite.Set) []suite.Case {
	return func(set suite.Set) []suite.Case {
		return source.InModes(source.Varied(s.Spec.Cases(set)), declared, s.Math.Modes, s.unsaid()...)
	}
}

// AddForCase registers the flags of commands about one case, which says itself what -run and
// -sweep would.
func (s *Selection) AddForCase(flags *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.Add(all)
	all.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "run" && flag.Name != "sweep" {
			flags.AddFlag(flag)
		}
	})
}

// Case is the case called name with what a run on a device needs to judge it. Its shaders are to be released.
// That declarations have expired is for conform run to say.
func (s Selection) Case(ctx context.Context, name string, on metalrun.Device) (c suite.Case, opts suite.Options,
	err error) {
	declared, _, err := s.Declarations()
	if err != nil {
		return c, opts, err
	}
	s.Accuracies.Adopt(declared, on)
	kernel, _, _ := strings.Cut(name, "/")
	all := s.casesOf(declared, suite.Full, func(template string) bool {
		return strings.HasPrefix(template, kernel+"/")
	})
	if len(all) == 0 {
		all = s.casesOf(declared, suite.Full, nil) // for the names that are near
	}
	if !declared.Varies() && len(s.Math.Modes) == 0 && !strings.Contains(name, suite.MathPart) &&
		!suite.NamesConstants(name) {
		if c, err = s.findCase(all, name); err != nil {
			return c, opts, err
		}
	}
	source, err := s.OpenShaders(ctx, "-shaders", s.Shaders, declared)
	if err != nil {
		return c, opts, err
	}
	source.Define(all)
	if c, err = s.caseIn(source, declared, all, name); err != nil {
		source.Release()
		return c, opts, err
	}
	if err := RequireOne(source, []suite.Case{c}, s.Shaders); err != nil {
		source.Release()
		return c, opts, err
	}
	return c, s.Options(source, declared), nil
}

// caseIn is the case called name, in the mode that the name or a flag says, or else as it is declared.
func (s Selection) caseIn(source *suite.Shaders, declared *suite.Declarations, all []suite.Case,
	name string) (suite.Case, error) {
	modes := s.Math.Modes
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
	all = source.Varied(all)
	if suite.NamesConstants(base) {
		all = suite.WithConstants(all, source, func(other string) bool { return other == base })
	}
	c, err := s.findCase(all, base)
	if err != nil {
		return c, err
	}
	return source.InModes([]suite.Case{c}, declared, modes)[0], nil
}

// Options are those of a run of the cases.
func (s Selection) Options(source *suite.Shaders, declared *suite.Declarations) suite.Options {
	opts := suite.Options{
		Shaders: source, Seed: uint64(s.Seed), ReplayFlags: s.ReplayFlags(), Adversary: s.runAdversary(),
		Declared: declared, Budget: s.Spec.Budget,
		Strict: s.Strict || s.Shaders == "" || declared != nil && declared.Strict,
		Today:  s.Today.Midnight(),
	}
	opts.Exact, opts.Losses = s.ExactDevices(), s.Spec.Given()
	return opts
}

// ExactDevices execute kernels exactly; nil if nothing asks for that.
func (s Selection) ExactDevices() *suite.Exact {
	if exact := s.exactness(); exact.On() {
		return exact.Devices(s.Limits)
	}
	return nil
}

// exactness is that of the flag. Specifications have it in any case: it bounds what their definitions do not.
func (s Selection) exactness() Exactness {
	if s.Spec.Given() && !s.Exact.On() {
		return Exactness{In: Float64}
	}
	return s.Exact
}

// ReplayFlags are the flags that a command which repeats a case needs besides
// its name, seed and sweep.
func (s Selection) ReplayFlags() string {
	var flags []string
	for limit := range strings.FieldsSeq(s.Spec.Budget.String()) {
		flags = append(flags, "-budget "+limit)
	}
	flags = append(flags, s.Spec.ReplayFlags()...)
	if s.catalogue {
		flags = append(flags, "-catalogue")
	}
	if s.Shaders != "" && !s.found {
		flags = append(flags, "-shaders "+Quote(s.Shaders))
	}
	if len(s.Math.Modes) > 0 && !s.mathFound {
		flags = append(flags, "-math "+s.Math.String())
	}
	if s.Semantics.Given {
		flags = append(flags, "-semantics "+s.Semantics.String())
	}
	if s.Adversaries.given {
		flags = append(flags, "-adversaries "+s.Adversaries.String())
	}
	if s.Replay != "" {
		flags = append(flags, "-replay "+Quote(s.Replay))
	}
	if s.Backend.Value != "auto" {
		flags = append(flags, "-backend "+s.Backend.Value)
	}
	if s.Portable {
		flags = append(flags, "-portable")
	}
	if s.Accuracies.File != "" {
		flags = append(flags, "-accuracies "+Quote(s.Accuracies.File))
	}
	flags = append(flags, s.Build.ReplayFlags()...)
	flags = append(flags, s.Limits.ReplayFlags()...)
	flags = append(flags, s.Checks.replayFlags()...)
	if exact := s.Exact.replay(); exact != "" {
		flags = append(flags, exact)
	}
	if s.Strict {
		flags = append(flags, "-strict")
	}
	if s.Config != "" {
		flags = append(flags, "-config "+Quote(s.Config))
	}
	if !s.Today.IsZero() {
		flags = append(flags, "-today "+s.Today.String())
	}
	return strings.Join(flags, " ")
}

// ListCommand is the command that lists the cases of a sweep. It has the flags that say which kernels these are of.
func (s Selection) ListCommand(sweep string) string {
	words := []string{"conform list -cases"}
	if sweep != suite.Quick.String() {
		words = append(words, "-sweep "+sweep)
	}
	words = append(words, s.Spec.ReplayFlags()...)
	if s.catalogue {
		words = append(words, "-catalogue")
	}
	if s.Shaders != "" && !s.found {
		words = append(words, "-shaders "+Quote(s.Shaders))
	}
	if s.Config != "" {
		words = append(words, "-config "+Quote(s.Config))
	}
	return strings.Join(words, " ")
}

// Quote spells s for a shell.
func Quote(s string) string {
	if !strings.ContainsAny(s, " \t\n'\"\\$&|;<>()*?[]{}~#!`") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// SelectCases are the cases of the sweep whose names match run, under the contracts that are declared.
func (s Selection) SelectCases(declared *suite.Declarations, run Pattern) ([]suite.Case, error) {
	return s.matching(s.casesOf(declared, SetOf(s.Sweep), run.names(nil)), run)
}

// candidates are the cases that SelectCases selects, and those of kernels that may have further ones, made from their
// sources, whose names match run.
func (s Selection) candidates(declared *suite.Declarations, run Pattern) ([]suite.Case, error) {
	if run.Regexp == nil {
		return s.casesOf(declared, SetOf(s.Sweep), nil), nil
	}
	cases := slices.Clone(s.few)
	if cases == nil {
		cases = s.casesOf(declared, SetOf(s.Sweep), run.names(nil))
	}
	if c, found := run.caseIn(cases); found {
		return []suite.Case{c}, nil
	}
	found := map[string]bool{} // kernels with such names
	cases = slices.DeleteFunc(cases, func(c suite.Case) bool {
		if run.MatchString(c.Name) {
			return false
		}
		may, asked := found[c.Kernel.Name]
		if names := c.WithConstantsOf(); !asked && names != nil {
			may = slices.ContainsFunc(names, run.MatchString) || strings.Contains(run.String(), c.Kernel.Name)
			found[c.Kernel.Name] = may
		}
		return !may
	})
	if len(cases) == 0 {
		return s.matching(cases, run)
	}
	return cases, nil
}

// casesOf are the cases of a sweep under the contracts that are declared. Kernels may be missing of which no case may
// have a wanted name; nil wants all. The caller may write to the list.
func (s Selection) casesOf(declared *suite.Declarations, set suite.Set,
	wanted func(template string) bool) []suite.Case {
	if wanted == nil && (declared == nil || len(declared.Contracts) == 0) && s.Accuracies.Measured() == nil {
		return slices.Clone(s.Spec.Cases(set))
	}
	var kernel func(name string) bool
	if wanted != nil {
		kernel = func(name string) bool { return wanted(name + "/" + suite.AnyText) }
	}
	return suite.CasesNamed(s.familiesOf(declared, kernel), set, wanted)
}

// matching are the cases whose names match run.
func (s Selection) matching(cases []suite.Case, run Pattern) ([]suite.Case, error) {
	if run.Regexp == nil {
		return cases, nil
	}
	if c, found := run.caseIn(cases); found {
		return []suite.Case{c}, nil
	}
	cases = slices.DeleteFunc(cases, func(c suite.Case) bool {
		return !run.MatchString(c.Name) &&
			!run.MatchString(c.Drawn())
	})
	if len(cases) == 0 {
		return nil, exit.Usagef("-run %q: no case of the %s sweep has such a name (%s shows them)",
			run.String(), s.Sweep.Value, s.ListCommand(s.Sweep.Value))
	}
	return cases, nil
}

// FrontEndKey is the key of a context's [suite.Analyse], for those who watch it at
// work.
type FrontEndKey struct{}

// frontEnd is the front end of a context.
func frontEnd(ctx context.Context) suite.Analyse {
	if analyse, watched := ctx.Value(FrontEndKey{}).(suite.Analyse); watched {
		return analyse
	}
	return metalrun.Analyse
}

// OpenOwnShaders opens the kernels that this program has.
func OpenOwnShaders(ctx context.Context) (*suite.Shaders, error) {
	return suite.OpenTrusted(shaders.FS, frontEnd(ctx))
}

// OpenShaders opens the kernels under test: ours, or those of the directory that a flag names, as
// they are to be built.
func (s *Selection) OpenShaders(ctx context.Context, flag, dir string, declared *suite.Declarations) (*suite.Shaders,
	error) {
	if dir == "" {
		if s.Build.given() {
			return nil,
				exit.Usagef("the options of a compiler are for the kernels of a directory: give -shaders DIR too")
		}
		return OpenOwnShaders(ctx)
	}
	at, err := s.Kernels.Path(dir)
	if err != nil {
		return nil, exit.Usagef("%s: %v", flag, err)
	}
	if info, err := os.Stat(at); err != nil {
		return nil, exit.Usagef("%s: %v", flag, err)
	} else if !info.IsDir() {
		return nil, exit.Usagef("%s: %s is not a directory", flag, dir)
	}
	variant := func(name string) suite.Analyse { return s.Build.front(frontEnd(ctx), s.Kernels, dir, declared, name) }
	root, err := os.OpenRoot(at) // links that leave it are refused
	if err != nil {
		return nil, exit.Usagef("%s: %v", flag, err)
	}
	analyse, opening := variant(""), atomic.Bool{}
	opening.Store(true)
	files := s.Build.Memory.FS(root.FS())
	front := func(src metalrun.Source, o metalrun.CompileOptions) (*metalrun.Program, error) {
		if opening.Load() && ctx.Err() != nil { // there may be very many files
			return nil, ctx.Err()
		}
		return analyse(src, o)
	}
	var source *suite.Shaders
	if s.few != nil {
		source, err = suite.OpenFor(files, front, s.few)
	} else {
		source, err = suite.OpenShaders(files, front)
	}
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

// RequireOne fails if the shaders of dir have none of the kernels that the cases
// judge: a run that judges nothing must not look like one that passed.
func RequireOne(s *suite.Shaders, cases []suite.Case, dir string) error {
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
	return exit.Usagef(
		"-shaders %s: no file exports any of the kernels to be judged (conform list names them; conform new "+
			"specifies one of your own)%s", dir, text)
}

// Declarations are those about the shaders that are in force, and what is wrong with
// the others.
func (s Selection) Declarations() (counting *suite.Declarations, expired []suite.Outdated, err error) {
	all, err := config.ReadDeclarations(s.Rules, s.Config, s.Shaders, s.Today.Midnight(), s.Spec.Cases)
	if wrong := s.variants(all); wrong != nil && err == nil {
		return nil, nil, wrong
	}
	counting, expired = all.On(s.Today.Midnight())
	return counting, expired, err
}

// Families are the catalogue's with what is declared of their contracts, and with what
// is measured of functions.
func (s Selection) Families(declared *suite.Declarations) []suite.Family {
	return s.familiesOf(declared, nil)
}

// familiesOf is Families. Packs may lack kernels that are not wanted.
func (s Selection) familiesOf(declared *suite.Declarations, wanted func(kernel string) bool) []suite.Family {
	all := declared.Families(s.Spec.catalogueOf(wanted))
	m := s.Accuracies.Measured()
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

// findCase is the case called name.
func (s Selection) findCase(cases []suite.Case, name string) (suite.Case, error) {
	i := slices.IndexFunc(cases, func(c suite.Case) bool { return c.Name == name })
	if i < 0 {
		if c, found := suite.CaseAt(cases, name); found {
			return c, nil
		}
		return suite.Case{}, exit.Usagef("no case is called %q%s", name, s.suggestCases(name, cases))
	}
	return cases[i], nil
}

// suggestCases lists the cases with the names nearest to one that does not exist.
func (s Selection) suggestCases(name string, cases []suite.Case) string {
	near := suite.Nearest(name, config.CaseNames(cases))
	if len(near) == 0 {
		return " (" + s.ListCommand(suite.Full.String()) + " shows the names)"
	}
	text := "; the nearest are"
	for _, n := range near {
		text += fmt.Sprintf("\n\t%s", n)
	}
	return text
}

// AddReplay defines the flag of commands that take a recording for a device.
func (s *Selection) AddReplay(flags *pflag.FlagSet) {
	flags.StringVar(&s.Replay, "replay", "",
		"judge the recorded outputs of a device in `DIR`, next to those of the simulator; launches that are not "+
			"recorded are skipped")
}
