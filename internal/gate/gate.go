package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"metalconform/internal/checkout"
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/mutation"
	"metalconform/metalrun/sim"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/coverage"
	"metalconform/suite/mutate"
)

// Options say what a gate judges, and by what.
type Options struct {
	session.Selection
	Policy   config.PolicyFlags
	Times    Times
	Require  session.Required
	Base     string   // commit that the change begins at
	All      bool     // judge every kernel, whatever has changed
	Mutants  int      // small edits of the changed lines that are judged; 0 for none
	Out      string   // directory of both results; "" for none
	Loosened []string // kernels that may be asked for less than at the base, beside those of the policy
}

// Gate is a change that is judged: the two states of a repository and what differs.
type Gate struct {
	Options
	repository *repository
	base       *checkout.Checkout
	scope      scope
	was        Side // the base's kernels by the base's rules
	held       Side // the head's kernels by the base's rules
	is         Side // the head's kernels by the head's rules
	runner     metalrun.Runner
	hunks      []Hunk
	sizes      map[string][]int64           // numbers that the change brings, by the kernels that are made of the lines
	coverage   *coverage.Coverage           // of what the head's launches execute
	blame      map[string]metalrun.Position // changed lines, by kernels and pipelines
	remove     func()                       // of the checkout
}

// sourceExtensions are those of files that kernels and specifications may be made of although git ignores them.
var sourceExtensions = []string{metalrun.SourceExtension, metalrun.LibraryExtension, ".h", ".metalh", ".hpp", ".star",
	".npy", ".npz", config.AccuraciesExtension}

// Open finds the two states and what differs.
func Open(ctx context.Context, f Options) (g *Gate, err error) {
	if f.Base == "" {
		return nil, exit.Usagef("-base: name the commit to compare with, such as origin/main")
	}
	if f.Spec.Given() && f.Shaders == "" {
		return nil, exit.Usagef("-spec: say with -shaders DIR where the kernels are")
	}
	if err := f.Times.Check(); err != nil {
		return nil, err
	}
	f.Work = true
	g = &Gate{Options: f}
	defer func() {
		if err != nil {
			g.Close()
		}
	}()
	g.is = Side{Selection: f.Selection, Require: f.Require, Name: "head", commit: "work tree"}
	if err := g.is.FindProject(nil); err != nil {
		return g, err
	}
	own := g.is.Shaders == ""
	g.is.settle(own)
	if g.repository, err = openRepository(ctx, g.is.Shaders, f.Base); err != nil {
		return g, exit.Usagef("-base %s: %v", f.Base, err)
	}
	if err := g.checkOut(ctx); err != nil {
		return g, unreproduced(err)
	}
	if err := g.openSides(ctx, own); err != nil {
		return g, err
	}
	if err := g.compare(ctx, own); err != nil {
		return g, err
	}
	if g.runner, _, err = f.Open(); err != nil {
		return g, err
	}
	return g, nil
}

// settle takes the kernels of this program's repository where no others are asked for.
func (s *Side) settle(own bool) {
	if own && s.Shaders == "" {
		s.Shaders = "shaders"
	}
	s.Root = s.Shaders
}

// unreproduced is the error of a base that nobody can judge as it was.
func unreproduced(err error) error {
	return exit.With(exit.Device, fmt.Errorf("the base cannot be judged as it was: %w", err))
}

// checkOut writes the base into a directory of its own.
func (g *Gate) checkOut(ctx context.Context) error {
	scratch, remove, err := session.NewScratch()
	if err != nil {
		return err
	}
	g.remove = remove
	dir := filepath.Join(scratch, "base")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if g.base, err = checkout.Export(ctx, g.repository.root, g.repository.base, dir); err != nil {
		return err
	}
	return g.base.Lend(ctx, sourceExtensions...)
}

// openSides opens the kernels of both states under the rules of the base, and those of the head under its own. There
// may have been none at the base.
func (g *Gate) openSides(ctx context.Context, own bool) error {
	rules, err := g.Selection.At(g.base)
	if err != nil {
		return unreproduced(err)
	}
	require := g.Options.Require
	require.Checkout, require.Lenient = g.base, true
	g.was = Side{Selection: rules, Require: require, Name: "base", commit: g.repository.base}
	g.was.Spec.Checkout = g.base
	if err := g.was.FindProject(nil); err != nil {
		return unreproduced(err)
	}
	g.was.settle(own)
	g.was.missing = g.was.Shaders == "" || !g.hasKernels(g.was.Shaders)
	g.held = g.was
	g.held.Name, g.held.commit, g.held.Kernels = "head by the base's rules", g.is.commit, nil
	if err := g.is.open(ctx, "-shaders", false); err != nil {
		return err
	}
	if g.was.Shaders == "" {
		return nil // there was no project
	}
	if !g.was.missing {
		if err := g.was.open(ctx, "the base", false); err != nil {
			return unreproduced(err)
		}
	}
	return g.held.open(ctx, "-shaders", true)
}

// hasKernels reports whether the base has a directory with sources.
func (g *Gate) hasKernels(dir string) bool {
	at, err := g.base.Path(dir)
	if err != nil {
		return true // opening it says what is wrong
	}
	_, err = suite.OpenTrusted(os.DirFS(at), metalrun.Analyse)
	return err == nil || !errors.Is(err, suite.ErrNoSources)
}

// compare finds what differs.
func (g *Gate) compare(ctx context.Context, own bool) (err error) {
	if g.scope, err = newScope(g.repository, &g.was, &g.is); err != nil {
		return err
	}
	for kernel, file := range g.foreign() {
		g.scope.concern(kernel, file)
	}
	slices.Sort(g.scope.files)
	g.scope.files = slices.Compact(g.scope.files)
	if own {
		changed, err := g.repository.changed(ctx)
		if err != nil {
			return exit.With(exit.Device, err)
		}
		for _, file := range changed {
			g.scope.ours(file)
		}
	}
	if g.All {
		g.scope.why = "-all"
	}
	if g.hunks, err = hunksOf(ctx, g.scope.was, g.scope.is); err != nil {
		return exit.With(exit.Device, err)
	}
	g.blame, g.sizes = g.blamed(), g.literals()
	if len(g.hunks) > 0 {
		g.coverage = coverage.New(sim.New(sim.Semantics{Cover: true}))
		g.held.coverage, g.is.coverage = g.coverage, g.coverage
	}
	return nil
}

// String says what has changed, and what is judged for that.
func (g *Gate) String() string {
	return fmt.Sprintf("since %.12s: %s changed; %s", g.repository.base, printable.Count(len(g.scope.files),
		"relevant file"), g.scope)
}

// Judge judges both states and compares them.
func (g *Gate) Judge(ctx context.Context, progress io.Writer) (*Verdict, error) {
	j, err := g.judgements(ctx, progress)
	if err != nil {
		return nil, err
	}
	policy, note, err := g.policy(j.own)
	if err != nil {
		return nil, err
	}
	loosened := g.loosenings(j)
	allowed := g.allowed(policy)
	base, head := reports.Set{Run: j.base(allowed)}, reports.Set{Run: j.head(g, allowed)}
	if !g.was.missing && reports.Gated(head.Device) {
		cases := suite.Largest(g.held.Cases)
		if err := g.Times.Take(ctx, g.runner, &g.was, &g.held, cases, &base, &head, progress); err != nil {
			return nil, err
		}
	}
	v := &Verdict{Scope: g.scope, Note: note, View: reports.View{Run: head.Run, New: true, Change: true,
		Blame: g.blame, Crashed: session.Crashes(nil, j.was.Results)},
		Internal: session.Crashes(nil, slices.Concat(j.was.Results, head.Results))}
	v.Against = reports.Compare(base, head, policy)
	v.tell(loosened, allowed)
	v.unexecuted(g.unexecuted(), policy.Unexecuted, head.Root)
	v.declared = j.declared()
	if err := g.culprits(ctx, v.View); err != nil {
		return nil, err
	}
	if v.Safe() {
		if v.Mutants, err = g.mutate(ctx, progress); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Close frees what open took.
func (g *Gate) Close() {
	if g.runner != nil {
		g.runner.Close()
	}
	if g.remove != nil {
		g.remove()
	}
}

// allowed reports whether a kernel may be asked for less than at the base, and is: where the rules are what they were,
// the base's judgement is that of the change.
func (g *Gate) allowed(policy reports.Policy) func(kernel string) bool {
	other := map[string]bool{}
	for _, c := range slices.Concat(g.was.Cases, g.held.Cases, g.is.Cases) {
		other[c.Kernel.Name] = other[c.Kernel.Name] || g.scope.reruled(c)
	}
	return func(kernel string) bool {
		return other[kernel] && (slices.Contains(policy.Loosened, kernel) || slices.Contains(g.Loosened, kernel))
	}
}

// policy is the one that was declared at the base. The note says if the change declares another.
func (g *Gate) policy(head reports.Run) (p reports.Policy, note string, err error) {
	flags := g.Options.Policy
	flags.Config = g.is.Config
	now, err := flags.Policy(head)
	if err != nil {
		return p, "", err
	}
	flags.Config, flags.Checkout = g.was.Config, g.base
	head.Root = g.was.Root
	if p, err = flags.Policy(head); err != nil {
		return p, "", unreproduced(err)
	}
	if p.Source != reports.DefaultPolicy().Source {
		p.Source += " at the base"
	}
	p.Compared, now.Compared, now.Source = true, true, p.Source
	if !reflect.DeepEqual(p, now) {
		note = "the policy is that of the base: what the change declares of it counts once it is merged"
	}
	return p, note, nil
}

// mutate judges a sample of small edits of what has changed; nil for none.
func (g *Gate) mutate(ctx context.Context, stderr io.Writer) (*reports.MutationTable, error) {
	var names []string
	for _, k := range g.is.Spec.Names() {
		if _, _, err := g.is.Source.Find(k); err == nil && g.scope.concerns(k) {
			names = append(names, k)
		}
	}
	if g.Mutants == 0 || len(names) == 0 || !g.is.Checks.Enabled {
		return nil, nil
	}
	m := &mutate.Mutation{
		At:      g.touched(g.hunks).has,
		Exact:   g.is.ExactDevices(),
		Shaders: g.is.Source, Cases: g.is.Cases, Seed: uint64(g.Seed), Rule: mutate.ByVerdict, Kernels: names,
		Operators: mutation.Operators(), Sample: g.Mutants, Devices: g.is.MutationDevices(mutate.ByVerdict),
		Declared: g.is.declared,
	}
	plan, err := m.Plan()
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	defer plan.Close()
	if plan.Planned() == 0 {
		return nil, nil
	}
	bar := terminal.NewMutantProgress(stderr, plan.Planned(), nil)
	err = plan.Decide(ctx, nil, bar.Step)
	bar.Clear()
	if err != nil {
		return nil, exit.With(exit.Device, fmt.Errorf("interrupted while judging edits: %w", err))
	}
	table := reports.NewMutationTable(plan.Mutants())
	return &table, nil
}
