package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/mutation"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/mutate"
)

// Options say what a gate judges, and by what.
type Options struct {
	session.Selection
	Policy  config.PolicyFlags
	Times   Times
	Require session.Required
	Base    string // commit that the change begins at
	All     bool   // judge every kernel, whatever has changed
	Mutants int    // small edits of the changed lines that are judged; 0 for none
	Out     string // directory of both results; "" for none
}

// Gate is a change that is judged: the two states of a repository and what differs.
type Gate struct {
	Options
	repository *repository
	scope      scope
	was, is    Side
	runner     metalrun.Runner
	blame      map[string]metalrun.Position // changed lines, by kernels and pipelines
	scratch    string
	remove     func() // it
}

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
	f.Policy.Config, f.Work = f.Config, true
	g = &Gate{Options: f}
	defer func() {
		if err != nil {
			g.Close()
		}
	}()
	dir, own := f.Shaders, f.Shaders == ""
	if own {
		dir = "shaders"
	}
	if g.repository, err = openRepository(ctx, dir, f.Base); err != nil {
		return g, exit.Usagef("-base %s: %v", f.Base, err)
	}
	if g.scratch, g.remove, err = session.NewScratch(); err != nil {
		return g, exit.With(exit.Device, err)
	}
	if err := g.repository.export(ctx, g.scratch); err != nil {
		return g, exit.With(exit.Device, err)
	}
	g.is = Side{Selection: f.Selection, commit: "work tree", Name: "head", Root: dir}
	g.is.Shaders, g.is.Strict = dir, f.Strict || own
	g.was = g.is
	g.was.Name, g.was.commit, g.was.Shaders = "base", g.repository.base, g.scratch
	changed, err := g.repository.changed(ctx)
	if err != nil {
		return g, exit.With(exit.Device, err)
	}
	g.was.Build.Then = g.repository.then(ctx, changed)
	for _, side := range []*Side{&g.was, &g.is} {
		if err := g.read(ctx, side); err != nil {
			return g, err
		}
	}
	g.scope = newScope(g.repository, changed, g.was.Source, g.is.Source, own, f.Spec)
	if f.All {
		g.scope.why = "-all"
	}
	if g.blame, err = g.blamed(ctx); err != nil {
		return g, exit.With(exit.Device, err)
	}
	if g.runner, _, err = f.Open(); err != nil {
		return g, err
	}
	return g, nil
}

// String says what has changed, and what is judged for that.
func (g *Gate) String() string {
	return fmt.Sprintf("since %.12s: %s changed; %s", g.repository.base, printable.Count(len(g.scope.files),
		"relevant file"), g.scope)
}

// Judge judges both sides and compares them.
func (g *Gate) Judge(ctx context.Context, progress io.Writer) (*Verdict, error) {
	before, err := g.judgeSide(ctx, &g.was, progress)
	if err != nil {
		return nil, err
	}
	g.is.skippable = g.skippable
	after, err := g.judgeSide(ctx, &g.is, progress)
	if err != nil {
		return nil, err
	}
	policy, note, err := g.judgedBy(after)
	if err != nil {
		return nil, err
	}
	before.Ending.Stale = nil // what has expired fails whenever that was
	base, head := reports.Set{Run: before}, reports.Set{Run: after}
	if !g.was.missing && reports.Gated(after.Device) {
		cases := suite.Largest(g.is.Cases)
		if err := g.Times.Take(ctx, g.runner, &g.was, &g.is, cases, &base, &head, progress); err != nil {
			return nil, err
		}
	}
	v := &Verdict{Scope: g.scope, Note: note, View: reports.View{Run: after, New: true, Change: true, Blame: g.blame}}
	v.Against = reports.Compare(base, head, policy)
	if v.narrowed, err = g.narrowed(ctx); err != nil {
		return nil, err
	}
	v.More = append(v.More, loosened(v.narrowed, policy)...)
	if err := g.culprits(ctx, v.View); err != nil {
		return nil, err
	}
	if v.Safe() {
		if v.Mutants, err = g.mutate(ctx, progress); err != nil {
			return nil, err
		}
	}
	v.Crashed = session.Crashes(nil, slices.Concat(before.Results, after.Results))
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

// read opens the shaders of a side. There may have been none at the commit.
func (g *Gate) read(ctx context.Context, side *Side) error {
	declared, _, err := side.Declarations()
	if err != nil {
		return err
	}
	source, err := side.OpenShaders(ctx, "-shaders", side.Shaders, declared)
	var usage *exit.Error
	switch {
	case err == nil:
		side.Source = source
	case side.Name == "base" && errors.As(err, &usage) && usage.Status == exit.Usage:
		side.missing = true
	default:
		return err
	}
	return nil
}

// judgeSide judges what is concerned on one side, if it had any shaders.
func (g *Gate) judgeSide(ctx context.Context, s *Side, stderr io.Writer) (reports.Run, error) {
	if s.missing {
		return reports.NewRun(reports.Header{Device: reports.NewDevice(g.runner.Device())}, nil, nil,
			&reports.Ending{}), nil
	}
	run, err := s.Judge(ctx, g.runner, g.Require, g.scope.take, stderr)
	if err == nil && g.Out != "" {
		err = saveRun(filepath.Join(g.Out, s.Name), run)
	}
	return run, err
}

// skippable reports whether a waiver may keep a case from being judged at the head: one that was kept from it at the
// base, or had no kernel there. With another a change would pass whatever it does.
func (g *Gate) skippable(c suite.Case) bool {
	return g.was.missing || g.was.Lacks(c) || g.was.declared.Skips(c)
}

// judgedBy is the policy: the one that was declared at the base, for a change that could loosen what it is judged by
// would pass whatever it does. The note says so if it tries.
func (g *Gate) judgedBy(after reports.Run) (p reports.Policy, note string, err error) {
	p, err = g.Policy.Policy(after)
	if err != nil || g.was.missing || g.Config != "" {
		return p, "", err
	}
	after.Root = g.scratch
	was, err := g.Policy.Policy(after)
	if err != nil {
		return p, "", err
	}
	if place, declared := strings.CutPrefix(was.Source, g.scratch+string(filepath.Separator)); declared {
		was.Source = filepath.Join(g.is.Root, place) + " at the base"
	}
	p.Source = was.Source
	if !reflect.DeepEqual(p, was) {
		note = "the policy is that of the base: what the change declares of it counts once it is merged"
	}
	return was, note, nil
}

// mutate judges a sample of small edits of what has changed; nil for none.
func (g *Gate) mutate(ctx context.Context, stderr io.Writer) (*reports.MutationTable, error) {
	var names []string
	for _, k := range g.Spec.Names() {
		if _, _, err := g.is.Source.Find(k); err == nil && (g.scope.why != "" || g.scope.kernels[k] != "") {
			names = append(names, k)
		}
	}
	if g.Mutants == 0 || len(names) == 0 || !g.is.Checks.Enabled {
		return nil, nil
	}
	declared, _, err := g.is.Declarations()
	if err != nil {
		return nil, err
	}
	var exact *suite.Exact
	if g.Spec.Given() {
		exact = session.Exactness{In: session.Float64}.Devices(g.is.Limits)
	}
	hunks, err := g.repository.hunks(ctx)
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	m := &mutate.Mutation{
		At:      g.touched(hunks).has,
		Exact:   exact,
		Shaders: g.is.Source, Cases: g.is.Cases, Seed: uint64(g.Seed), Rule: mutate.ByVerdict, Kernels: names,
		Operators: mutation.Operators(), Sample: g.Mutants, Devices: g.is.MutationDevices(mutate.ByVerdict),
		Declared: declared,
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
