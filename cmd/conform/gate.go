package main

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
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/mutation"
	"metalconform/reports"
	"metalconform/suite"

	"github.com/spf13/cobra"
)

// gateCommand are the flags of conform gate.
type gateCommand struct {
	session.Selection
	policy  config.PolicyFlags
	times   sideTimes
	require session.Required
	base    string
	all     bool
	mutants int
	min     float64
	out     string
	comment string
	github  bool
	quiet   bool
}

func newGate() *cobra.Command {
	f := &gateCommand{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "gate -base REV [flags]",
		Short: "judge what a pull request changes",
		Long: `Gate judges the kernels whose sources have changed since a commit, as they were then
and as they are now, changes that are not committed included, and compares the two. What
it judges follows from git: kernels whose file or one that it includes is another, and the
pipelines that they are part of; everything if conform.toml is. In this program's own
repository specifications and oracles count, too, and with -spec the files in Starlark. Small edits of the changed kernels that
the sweep does not see are listed.

On a GPU that is not virtual both are timed in turns too, of each changed kernel the case
that moves the most bytes, as conform ab does. On the simulator the work of the kernels is
counted instead, and a gross growth of it is a regression.

The exit status is 0 if nothing fails that did not fail before, nothing regresses that
the policy names, every kernel that was judged or is required is judged, and no
declaration has expired; 1 otherwise; 2 for a mistake on the command line or no such
commit; and 3 if the run could not be completed.`,
		Example: `conform gate -base origin/main -shaders kernels          as a pull request would be judged
conform gate -base HEAD -shaders kernels                 what has not been committed yet
conform gate -base origin/main -shaders kernels -comment comment.md -github
conform gate -base origin/main -shaders kernels -all     whatever has changed
conform gate -base origin/main -shaders kernels -forecast m1pro   … fail for what is likely to be slower on a GPU, too`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.Selection.Add(flags)
	flags.Lookup("run").Usage = "of these, only cases whose name matches `REGEX`"
	f.Checks.Add(flags)
	f.AddJudging(flags)
	f.AddForecast(flags)
	flags.Var(&f.require, "require", "fail unless each kernel and pipeline is there whose whole name matches `REGEX|all|FILE`")
	flags.StringVar(&f.base, "base", "", "judge what has changed since the commit `REV`, or since the last one that it has in common with the current one")
	f.policy.AddGrow(flags)
	flags.Var(&f.policy.Time, "least-time", "on a GPU, smallest growth of a time that counts, in `PERCENT`; 5 if neither this nor the policy says otherwise")
	f.times.add(flags)
	flags.BoolVar(&f.all, "all", false, "judge every kernel, whatever has changed")
	flags.IntVar(&f.mutants, "mutants", 40, "judge `N` small edits of the changed kernels; 0 for none")
	flags.Float64Var(&f.min, "min", 0, "fail if less than `PERCENT` of these edits are caught")
	flags.StringVarP(&f.out, "output", "o", "", "write `DIR`/base/results.jsonl and DIR/head/results.jsonl")
	flags.StringVar(&f.comment, "comment", "", "write `FILE`, a comment in Markdown that begins with "+commentMark)
	flags.BoolVar(&f.github, "github", false, "print annotations of GitHub's, once for each cause, at the changed lines")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only failures, warnings and the verdict")
	return cmd
}

// commentMark is the first line of a comment, by which it is found and replaced.
const commentMark = "<!-- conform gate -->"

// run finds what has changed, judges both sides and compares them.
func (f *gateCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	if f.base == "" {
		return exit.Usagef("-base: name the commit to compare with, such as origin/main")
	}
	if f.Spec.Given() && f.Shaders == "" {
		return exit.Usagef("-spec: say with -shaders DIR where the kernels are")
	}
	if err := f.times.check(); err != nil {
		return err
	}
	g, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer g.close()
	fmt.Fprintf(stdout, "since %.12s: %s; %s\n\n", g.repository.base, files(len(g.scope.files)), g.scope)
	if f.quiet {
		stderr = io.Discard
	}
	before, err := g.judge(ctx, &g.was, stderr)
	if err != nil {
		return err
	}
	g.is.skippable = g.skippable
	after, err := g.judge(ctx, &g.is, stderr)
	if err != nil {
		return err
	}
	policy, note, err := g.judgedBy(after)
	if err != nil {
		return err
	}
	if note != "" {
		fmt.Fprintf(stdout, "%s\n\n", note)
	}
	before.Ending.Stale = nil // what has expired fails whenever that was
	base, head := reports.Set{Run: before}, reports.Set{Run: after}
	if !g.was.missing && reports.Gated(after.Device) {
		if err := f.times.take(ctx, g.runner, &g.was, &g.is, suite.Largest(g.is.cases), &base, &head, stderr); err != nil {
			return err
		}
	}
	v := &verdictOfGate{scope: g.scope, View: reports.View{Run: after, New: true, Change: true, Blame: g.blame}}
	v.Against = reports.Compare(base, head, policy)
	if v.narrowed, err = g.narrowed(ctx); err != nil {
		return err
	}
	if err := g.culprits(ctx, v.View); err != nil {
		return err
	}
	if v.conforms() {
		if v.mutants, err = g.mutate(ctx, stderr); err != nil {
			return err
		}
	}
	if err := f.write(v, stdout); err != nil {
		return exit.With(exit.Device, err)
	}
	if err := crashes(nil, slices.Concat(before.Results, after.Results)); err != nil {
		return exit.With(exit.Device, err)
	}
	if !v.conforms() || v.mutants != nil && v.mutants.Total.Judged() > 0 && 100*v.mutants.Total.Value() < f.min {
		return exit.Silently(exit.Fails)
	}
	return nil
}

func files(n int) string {
	if n == 1 {
		return "1 file changed that matters"
	}
	return fmt.Sprintf("%d files changed that matter", n)
}

// gating is a run of conform gate on its way.
type gating struct {
	*gateCommand
	repository *repository
	scope      scope
	was, is    side
	runner     metalrun.Runner
	blame      map[string]metalrun.Position // changed lines, by kernels and pipelines
	scratch    string
	remove     func() // it
}

// open finds the two states and what differs.
func (f *gateCommand) open(ctx context.Context) (g *gating, err error) {
	f.policy.Config, f.Work = f.Config, true
	g = &gating{gateCommand: f}
	defer func() {
		if err != nil {
			g.close()
		}
	}()
	dir, own := f.Shaders, f.Shaders == ""
	if own {
		dir = "shaders"
	}
	if g.repository, err = openRepository(ctx, dir, f.base); err != nil {
		return g, exit.Usagef("-base %s: %v", f.base, err)
	}
	if g.scratch, g.remove, err = session.NewScratch(); err != nil {
		return g, exit.With(exit.Device, err)
	}
	if err := g.repository.export(ctx, g.scratch); err != nil {
		return g, exit.With(exit.Device, err)
	}
	g.is = side{runFlags: runFlags{Selection: f.Selection, repeat: 1, commit: "work tree"}, name: "head", root: dir}
	g.is.Shaders, g.is.Strict = dir, f.Strict || own
	g.was = g.is
	g.was.name, g.was.commit, g.was.Shaders = "base", g.repository.base, g.scratch
	changed, err := g.repository.changed(ctx)
	if err != nil {
		return g, exit.With(exit.Device, err)
	}
	g.was.Build.Then = g.repository.then(ctx, changed)
	for _, side := range []*side{&g.was, &g.is} {
		if err := g.read(ctx, side); err != nil {
			return g, err
		}
	}
	g.scope = newScope(g.repository, changed, g.was.source, g.is.source, own, f.Spec)
	if f.all {
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

// close frees what open took.
func (g *gating) close() {
	if g.runner != nil {
		g.runner.Close()
	}
	if g.remove != nil {
		g.remove()
	}
}

// read opens the shaders of a side. There may have been none at the commit.
func (g *gating) read(ctx context.Context, side *side) error {
	declared, _, err := side.Declarations()
	if err != nil {
		return err
	}
	source, err := side.OpenShaders(ctx, "-shaders", side.Shaders, declared)
	var usage *exit.Error
	switch {
	case err == nil:
		side.source = source
	case side.name == "base" && errors.As(err, &usage) && usage.Status == exit.Usage:
		side.missing = true
	default:
		return err
	}
	return nil
}

// judge judges what is concerned on one side, if it had any shaders.
func (g *gating) judge(ctx context.Context, s *side, stderr io.Writer) (reports.Run, error) {
	if s.missing {
		return reports.NewRun(reports.Header{Device: reports.NewDevice(g.runner.Device())}, nil, nil, &reports.Ending{}), nil
	}
	run, err := s.judge(ctx, g.runner, g.require, g.scope.take, stderr)
	if err == nil && g.out != "" {
		err = saveRun(filepath.Join(g.out, s.name), run)
	}
	return run, err
}

// skippable reports whether a waiver may keep a case from being judged at the head: one that was kept from it at the base, or
// had no kernel there. With another a change would pass whatever it does.
func (g *gating) skippable(c suite.Case) bool {
	return g.was.missing || g.was.lacks(c) || g.was.declared.Skips(c)
}

// judgedBy is the policy: the one that was declared at the base, for a change that could loosen what it is judged by would
// pass whatever it does. The note says so if it tries.
func (g *gating) judgedBy(after reports.Run) (p reports.Policy, note string, err error) {
	p, err = g.policy.Policy(after)
	if err != nil || g.was.missing || g.Config != "" {
		return p, "", err
	}
	after.Root = g.scratch
	was, err := g.policy.Policy(after)
	if err != nil {
		return p, "", err
	}
	if place, declared := strings.CutPrefix(was.Source, g.scratch+string(filepath.Separator)); declared {
		was.Source = filepath.Join(g.is.root, place) + " at the base"
	}
	p.Source = was.Source
	if !reflect.DeepEqual(p, was) {
		note = "the policy is that of the base: what the change declares of it counts once it is merged"
	}
	return was, note, nil
}

// mutate judges a sample of small edits of the kernels that changed; nil for none.
func (g *gating) mutate(ctx context.Context, stderr io.Writer) (*reports.MutationTable, error) {
	var names []string
	for _, k := range g.Spec.Names() {
		if _, _, err := g.is.source.Find(k); err == nil && (g.scope.why != "" || g.scope.kernels[k] != "") {
			names = append(names, k)
		}
	}
	if g.mutants == 0 || len(names) == 0 || !g.is.Checks.Enabled {
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
	m := &suite.Mutation{
		Exact:   exact,
		Shaders: g.is.source, Cases: g.is.cases, Seed: uint64(g.Seed), Rule: suite.ByVerdict, Kernels: names,
		Operators: mutation.Operators(), Sample: g.mutants, Devices: mutateFlags{Selection: g.is.Selection, rule: session.Choice{Value: string(suite.ByVerdict)}}.devices(), Declared: declared,
	}
	plan, err := m.Plan()
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	defer plan.Close()
	bar := terminal.NewMutantProgress(stderr, plan.Planned(), nil)
	err = plan.Judge(ctx, nil, bar.Step)
	bar.Clear()
	if err != nil {
		return nil, exit.With(exit.Device, fmt.Errorf("interrupted while judging edits: %w", err))
	}
	table := reports.NewMutationTable(plan.Mutants())
	return &table, nil
}

// blamed are, for each kernel and pipeline that a change concerns, the changed line that a
// failure is shown at: the first within the entry point, or else the first in its file, or
// in one that it includes.
func (g *gating) blamed(ctx context.Context) (map[string]metalrun.Position, error) {
	hunks, err := g.repository.hunks(ctx)
	if err != nil {
		return nil, err
	}
	lines := linesIn(hunks)
	blame := map[string]metalrun.Position{}
	for _, name := range g.Spec.Names() {
		file, info, err := g.is.source.Find(name)
		if err != nil {
			continue
		}
		if at, ok := changedLine(lines, g.is.source.Reads(name), file, info.Position.Line); ok {
			blame[name] = at
		}
	}
	for _, f := range g.Spec.Catalogue() {
		for _, p := range f.Pipelines {
			for _, k := range p.Kernels {
				if at, ok := blame[k]; ok {
					blame[p.Name] = at
					break
				}
			}
		}
	}
	return blame, nil
}

// changedLine is the changed line nearest behind the beginning of an entry point, or the
// last before it, or the first of another file.
func changedLine(lines map[string][]int, reads []string, file string, begin int) (metalrun.Position, bool) {
	if own := lines[file]; len(own) > 0 {
		line := own[len(own)-1]
		if i := slices.IndexFunc(own, func(n int) bool { return n >= begin }); i >= 0 {
			line = own[i]
		}
		return metalrun.Position{File: file, Line: line}, true
	}
	for _, name := range reads {
		if len(lines[name]) > 0 {
			return metalrun.Position{File: name, Line: lines[name][0]}, true
		}
	}
	return metalrun.Position{}, false
}

// verdictOfGate is what a gate finds.
type verdictOfGate struct {
	reports.View
	scope   scope
	mutants *reports.MutationTable // nil if none were judged

	narrowed []reports.Vanished // what is not asked for any more
}

// conforms reports whether the change may pass.
func (v *verdictOfGate) conforms() bool {
	return v.View.Conforms() && len(v.Against.Regressions()) == 0
}

// write writes what the flags ask for.
func (f *gateCommand) write(v *verdictOfGate, stdout io.Writer) error {
	if f.comment != "" {
		var b strings.Builder
		if err := v.markdown(&b); err != nil {
			return err
		}
		if err := writeFile(f.comment, []byte(b.String()), stdout); err != nil {
			return err
		}
	}
	if f.github {
		if err := reports.GitHub(terminal.Unsanitized(stdout), v.View); err != nil {
			return err
		}
	}
	if !f.quiet || !v.conforms() {
		view := v.View
		view.Colour = terminal.Coloured(stdout)
		if err := reports.Text(stdout, view); err != nil {
			return err
		}
	}
	for _, line := range v.lines() {
		fmt.Fprintln(stdout, line)
	}
	word := "the gate is open"
	if !v.conforms() {
		word = "the gate is closed"
	}
	_, err := fmt.Fprintf(stdout, "%s: %s\n", word, v.scope)
	return err
}

// lines are sentences beside the report: what regressed, and which edits go unseen.
func (v *verdictOfGate) lines() []string {
	list := narrowing(v.narrowed)
	if v.mutants == nil {
		return list
	}
	t := v.mutants.Total
	list = append(list, fmt.Sprintf("of %d small edits to what changed the sweep catches %d", t.Judged(), t.Fates[suite.Killed]))
	for _, m := range v.mutants.Survivors {
		list = append(list, fmt.Sprintf("not caught: %s:%d: %s", m.File, m.Line, m.Change))
	}
	return list
}

// markdown is the comment.
func (v *verdictOfGate) markdown(w io.Writer) error {
	fmt.Fprintln(w, commentMark)
	view := v.View
	view.Limit = commentLimit
	if err := reports.Markdown(w, view); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n### What was judged\n\nSince %s: %s.\n\n", reports.Inline(v.Against.Base.Commit), reports.Inline(v.scope.String()))
	for _, file := range v.scope.files {
		fmt.Fprintf(w, "- %s\n", reports.Inline(file))
	}
	if lines := v.lines(); len(lines) > 0 {
		fmt.Fprint(w, "\n### Beside it\n\n")
		for _, line := range lines {
			fmt.Fprintf(w, "- %s\n", reports.Inline(line))
		}
	}
	return nil
}

// commentLimit is what the report may take of a comment, in bytes; GitHub refuses one of
// more than 65,536 characters.
const commentLimit = 48 << 10
