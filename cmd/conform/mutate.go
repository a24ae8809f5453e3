package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun/mutation"
	"metalconform/reports"
	"metalconform/suite/mutate"

	"github.com/spf13/cobra"
)

// mutateFlags are the flags of conform mutate.
type mutateFlags struct {
	session.Selection
	session.Partition
	kernels   []string
	operators []string
	rule      session.Choice
	typical   bool
	sample    int
	parallel  int
	out       string
	from      []string
	annotated string
	source    string
	min       float64
	list      bool
	quiet     bool
}

func newMutate() *cobra.Command {
	f := &mutateFlags{Selection: session.NewSelection(),
		rule: session.Choice{Value: "verdict", Words: []string{"verdict", "cosine", "cosine-gpu"}}}
	var operators []string
	for _, o := range mutation.Operators() {
		operators = append(operators, fmt.Sprintf("  %-10s %s", o.Name, o.Doc))
	}
	cmd := &cobra.Command{
		Use:   "mutate [flags] [KERNEL...]",
		Short: "judge kernels with small edits, which should fail",
		Long: `Mutate makes small edits in kernels, one at a time, and judges each by the cases of
the sweep on the simulator: it is killed if a case fails, and survives if none does.
Edits that the front end refuses, or that provably change nothing, do not count. It
prints the score, tables, and the survivors, each with its edit. The exit status is 0,
or 1 for a score below -min or -annotations that are out of step, 2 for a mistake on
the command line, and 3 if the run could not be completed.

Operators:
` + strings.Join(operators, "\n"),
		Example: `conform mutate -sample 300                 a quick figure
conform mutate -o mutants.jsonl            everything, a line per mutant
conform mutate -from mutants.jsonl         go on after an interrupt
conform mutate -shard 2/8 -o part2         an eighth of the mutants
conform mutate -from part1 -from part2 -o mutants.jsonl
conform mutate residual_add -operators index,constant
conform mutate -list residual_add          names of the mutants
conform mutate -rule cosine-gpu -typical   what a plain cosine misses
conform mutate -source 'norm.metal:34:13/operand/1'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.FindProject(nil); err != nil {
				return err
			}
			f.kernels = args
			return mutateKernels(cmd.Context(), *f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.Var(&f.Sweep, "sweep", "judge by the `quick|full` sweep; quick if not given")
	flags.Var(&f.Seed, "seed", "draw all inputs, and the sample, from seed `N`; 1 if not given")
	flags.Var(&f.Spec, "spec", session.SpecUsage)
	flags.Var(session.PackFlag{Of: &f.Spec}, "pack", session.PackUsage)
	f.Spec.AddLimits(flags)
	flags.StringVar(&f.Shaders, "shaders", "", "mutate the kernels in the .metal files under `DIR` instead of "+
		"Conform's own")
	f.AddCatalogue(flags)
	f.Build.Add(flags)
	flags.Var(&f.Semantics, "semantics", session.SemanticsUsage)
	f.Math.One = true
	flags.Var(&f.Math, "math", config.MathUsage+"; as declared if not given")
	flags.BoolVar(&f.Portable, "portable", false, "simulate without vector instructions: the same results, slower")
	f.Checks.Add(flags)
	flags.StringVar(&f.Config, "config", "", "take declarations from `FILE` instead of DIR/conform.toml")
	flags.Var(&f.Today, "today", "let declarations expire as of `DATE`; today if not given")
	flags.StringSliceVar(&f.operators, "operators", nil, "make only the edits `NAME,...`")
	flags.Var(&f.rule, "rule",
		"kill by `verdict|cosine|cosine-gpu`: the suite's verdict, a plain cosine below 0.9999, or the same without "+
			"the faults that a GPU need not report; verdict if not given")
	flags.BoolVar(&f.typical, "typical", false,
		"judge each kernel by one case: its usual inputs, at the shape with the most even sizes")
	flags.IntVar(&f.sample, "sample", 0, "judge only `N` mutants, drawn from the seed")
	flags.Var(&f.Selection.Adversaries, "adversaries",
		"also judge survivors on `N` adversarial devices of the seed; 0 if not given")
	f.Exact.Add(flags, "also judge survivors by exact execution")
	flags.IntVar(&f.parallel, "parallel", 0, "judge on `N` processors at once; 0 for all")
	flags.StringVarP(&f.out, "o", "o", "", "write `FILE`, a header and a line per mutant")
	flags.StringArrayVar(&f.from, "from", nil,
		"continue from `FILE`, a log that -o has written; the new log of -o has all mutants; repeatable, for "+
			"shards")
	f.Partition.Add(flags, "-from joins the logs")
	flags.StringVar(&f.annotated, "annotations", "",
		"compare the survivors with the annotations in `FILE`, or in all .txt files of a directory")
	flags.StringVar(&f.source, "source", "", "print the source of the mutant with this `ID` and judge nothing")
	flags.Float64Var(&f.min, "min", 0, "fail below a score of `PERCENT`")
	flags.BoolVar(&f.list, "list", false, "print the mutants' names and judge nothing")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only the score")
	return cmd
}

func mutateKernels(ctx context.Context, f mutateFlags, stdout, stderr io.Writer) error {
	if err := f.FromEnvironment(); err != nil {
		return err
	}
	annotations, err := f.annotations()
	if err != nil {
		return err
	}
	m, err := f.mutation(ctx)
	if err != nil {
		return err
	}
	plan, err := m.Plan()
	if err != nil {
		return exit.Usagef("%w", err)
	}
	defer plan.Close()
	switch {
	case plan.Planned() == 0 && plan.Crashed != nil:
		return exit.With(exit.Device, plan.Crashed)
	case plan.Planned() == 0:
		return exit.Usagef("no mutants: nothing there to edit%s", because(plan.Absent))
	case f.source != "":
		return printSource(stdout, plan, f.source)
	case f.list:
		return printKeys(stdout, plan)
	}
	log, known, err := f.openLog(plan)
	if err != nil {
		return err
	}
	defer log.Close()
	s := &mutants{mutateFlags: f, plan: plan, log: log, annotations: annotations, stdout: stdout, stderr: stderr,
		style: reports.DefaultStyle}
	s.style.Colour = terminal.Coloured(stdout)
	s.announce(len(known))
	return s.judge(ctx, known)
}

// mutation is what the flags ask for, validated.
func (f mutateFlags) mutation(ctx context.Context) (*mutate.Mutation, error) {
	switch {
	case f.parallel > mostThreads:
		return nil, exit.Usagef("-parallel %d: want 1 to %d, or 0 for all processors", f.parallel, mostThreads)
	case f.min > 100:
		return nil, exit.Usagef("-min %g: want a number from 0 to 100", f.min)
	case f.out == "" && len(f.from) > 1:
		return nil, exit.Usagef("-from several files: -o FILE says where to write all of them")
	case slices.Contains(f.from, f.out):
		return nil, exit.Usagef("-o %s: -from reads that file", f.out)
	}
	operators, err := f.table()
	if err != nil {
		return nil, err
	}
	w, err := f.Read(ctx)
	if err != nil {
		return nil, err
	}
	if err := session.RequireOne(w.Source, w.Cases, f.Shaders); err != nil {
		return nil, err
	}
	if err := f.known(); err != nil {
		return nil, err
	}
	return &mutate.Mutation{
		Exact:   f.ExactDevices(),
		Shaders: w.Source, Cases: w.Cases, Seed: uint64(f.Seed), Rule: mutate.Rule(f.rule.Value), Typical: f.typical,
		Kernels: f.kernels, Operators: operators, Sample: f.sample, Part: f.part(), Parallel: f.parallel,
		Devices: f.MutationDevices(mutate.Rule(f.rule.Value)), Declared: w.Declared,
	}, nil
}

// part selects the mutants of the shard, which are dealt out in turn: neighbours have
// the same kernels.
func (f mutateFlags) part() func(int) bool {
	if !f.Divided() {
		return nil
	}
	return f.Shard.Has
}

// known fails if a kernel that is named does not exist.
func (f mutateFlags) known() error {
	names := f.Spec.Names()
	for _, name := range f.kernels {
		if !slices.Contains(names, name) {
			return exit.Usagef("no kernel is called %q%s", name, config.DidYouMean(name, names))
		}
	}
	return nil
}

// table is the operators that are named, in the order of the table.
func (f mutateFlags) table() ([]mutation.Operator, error) {
	all := mutation.Operators()
	if len(f.operators) == 0 {
		return all, nil
	}
	var names []string
	for _, o := range all {
		names = append(names, o.Name)
	}
	for _, name := range f.operators {
		if !slices.Contains(names, name) {
			return nil, exit.Usagef("-operators: no operator is called %q%s (conform mutate -h lists them)", name,
				config.DidYouMean(name, names))
		}
	}
	return slices.DeleteFunc(all, func(o mutation.Operator) bool { return !slices.Contains(f.operators, o.Name) }), nil
}

// annotations are those of -annotations.
func (f mutateFlags) annotations() ([]mutate.Annotation, error) {
	if f.annotated == "" {
		return nil, nil
	}
	annotations, err := mutate.ReadAnnotations(f.annotated)
	if err != nil {
		return nil, exit.Usagef("-annotations: %v", err)
	}
	return annotations, nil
}

// because lists reasons behind a colon.
func because(reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ")
}

// printSource prints the text of one mutant.
func printSource(w io.Writer, plan *mutate.Plan, id string) error {
	text, ok := plan.Source(id)
	if !ok {
		return exit.Usagef("-source: no mutant is called %q (conform mutate -list names them)", id)
	}
	_, err := io.WriteString(w, text)
	return err
}

// printKeys prints a line for each mutant.
func printKeys(w io.Writer, plan *mutate.Plan) error {
	var b strings.Builder
	for _, m := range plan.Mutants() {
		fmt.Fprintf(&b, "%s\t%s\n", m.ID, m.Key)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mutants is a run of conform mutate on its way.
type mutants struct {
	mutateFlags
	plan           *mutate.Plan
	log            io.WriteCloser
	annotations    []mutate.Annotation
	stdout, stderr io.Writer
	style          reports.Style
}

// count is the number of mutants of the part that is judged.
func (s *mutants) count() int { return len(s.plan.Mutants()) }

// announce says what is about to be judged.
func (s *mutants) announce(known int) {
	if s.quiet {
		return
	}
	fmt.Fprintf(s.stdout, "%s sweep, seed %d, rule %s, ", s.Sweep.Value, s.Seed, s.rule.Value)
	if s.typical {
		fmt.Fprint(s.stdout, "one case for each kernel, ")
	}
	fmt.Fprintf(s.stdout, "%s%s", printable.Count(s.count(), "mutant"), s.Partition.String())
	if known > 0 {
		fmt.Fprintf(s.stdout, ", of which %d have been judged", known)
	}
	fmt.Fprint(s.stdout, "\n")
	for _, reason := range s.plan.Absent {
		fmt.Fprintf(s.stdout, "left out: %s\n", reason)
	}
	fmt.Fprintln(s.stdout)
}

// judge judges the mutants and reports them.
func (s *mutants) judge(ctx context.Context, known []mutate.Mutant) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	begin := time.Now()
	w := s.stderr
	if s.quiet {
		w = io.Discard
	}
	bar := terminal.NewMutantProgress(w, s.count(), known)
	var broken error            // what keeps the mutants from being written
	logged := map[string]bool{} // in the file that the log goes on with
	for _, m := range known {
		logged[m.ID] = s.out == ""
	}
	judged := len(known)
	err := s.plan.Decide(ctx, known, func(m mutate.Mutant) {
		if _, before := logged[m.ID]; !before {
			judged++
			bar.Step(m)
		}
		if logged[m.ID] {
			return
		}
		if broken == nil {
			if broken = reports.NewMutationLog(s.log).Write(m); broken != nil {
				stop()
			}
		}
	})
	bar.Clear()
	if broken == nil {
		broken = s.log.Close()
	}
	switch {
	case broken != nil:
		return exit.With(exit.Device, fmt.Errorf("stopped after %d of %d mutants: %w", judged, s.count(), broken))
	case errors.Is(err, context.Canceled):
		return exit.With(exit.Device,
			fmt.Errorf("interrupted after %d of %d mutants%s", judged, s.count(), s.continued()))
	case err != nil:
		return exit.With(exit.Device, err)
	}
	return s.conclude(time.Since(begin))
}

// continued says how an interrupted run goes on.
func (s *mutants) continued() string {
	switch {
	case s.out != "":
		return "; -resume " + session.Quote(s.out) + " goes on"
	case len(s.from) > 0:
		return "; -resume " + session.Quote(s.from[0]) + " goes on"
	}
	return ""
}

// conclude writes the score, the tables and the survivors.
func (s *mutants) conclude(elapsed time.Duration) error {
	all := s.plan.Mutants()
	table := reports.NewMutationTable(mutate.ApplyAnnotations(all, s.annotations))
	if err := s.style.MutationSummary(s.stdout, table, s.sample > 0); err != nil {
		return err
	}
	if !s.quiet {
		fmt.Fprintf(s.stdout, "\t%s\n\n", elapsed.Round(time.Second/10))
		if err := s.style.MutationRows(s.stdout, table); err != nil {
			return err
		}
	}
	shown := table.Survivors
	var stale []string
	if s.annotated != "" {
		shown = mutate.Unannotated(all, s.annotations)
		stale = s.stale(all)
	}
	if !s.quiet {
		for _, m := range shown {
			if err := s.style.Mutant(s.stdout, m); err != nil {
				return err
			}
		}
	}
	switch score := 100 * table.Total.Value(); {
	case len(table.Broken) > 0:
		return exit.With(exit.Device, brokenMutants(table.Broken))
	case s.plan.Crashed != nil:
		return exit.With(exit.Device, s.plan.Crashed)
	case len(stale) > 0:
		return exit.With(exit.Fails, errors.New(strings.Join(stale, "\n")))
	case s.annotated != "" && len(shown) > 0:
		return exit.With(exit.Fails, fmt.Errorf("%d survivors have no explanation in %s", len(shown), s.annotated))
	case score < s.min:
		return exit.With(exit.Fails, fmt.Errorf("a score of %.1f %% is below %g %%", score, s.min))
	}
	return nil
}

// stale are sentences on explanations of mutants that do not survive. A run of some of
// the mutants looks only at theirs.
func (s *mutants) stale(all []mutate.Mutant) []string {
	fates, edited := map[string]mutate.Fate{}, map[[2]string]bool{}
	for _, m := range all {
		fates[m.Key] = m.Fate
		edited[[2]string{m.File, m.Function}] = true
	}
	// asked reports whether the mutant of an annotation, if there were one, would
	// have been judged.
	asked := func(e mutate.Annotation) bool {
		file, function, operator := e.Edit()
		return s.sample == 0 && !s.Divided() && (len(s.kernels) == 0 || edited[[2]string{file, function}]) &&
			(len(s.operators) == 0 || slices.Contains(s.operators, operator))
	}
	var list []string
	for _, e := range mutate.StaleAnnotations(all, s.annotations) {
		fate, exists := fates[e.Key]
		switch {
		case exists:
			list = append(list, fmt.Sprintf("%s:%d: the mutant is %s: %s", e.File, e.Line, fate, e.Key))
		case asked(e):
			list = append(list, fmt.Sprintf("%s:%d: no mutant is called %s", e.File, e.Line, e.Key))
		}
	}
	return list
}

// brokenMutants is the error of those that could not be judged, with a panic that one brought up.
func brokenMutants(list []mutate.Mutant) error {
	text := printable.Count(len(list), "mutant") + " could not be judged"
	for _, m := range list {
		if m.Crash != nil {
			return fmt.Errorf("%s: %s in %s: %w", text, m.ID, m.Case, m.Crash)
		}
	}
	return errors.New(text)
}
