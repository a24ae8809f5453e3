package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"metalconform/internal/budget"
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/reports"
	"metalconform/reports/history"
	"metalconform/reports/trend"
	"metalconform/suite"

	"github.com/spf13/cobra"
)

func newHistory() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history COMMAND",
		Short: "keep results of many runs, and find where they changed",
		Long: `History keeps the results of runs in DIR, with a file for each run: verdicts, the distribution
of errors, and times. It finds the commits between which results changed.`,
		Example: `conform history add nights out          keep a run
conform history list nights             list the runs
conform history show nights 4f2a9c1     show one of them
conform history trend nights            find where results changed`,
		Args: cobra.ArbitraryArgs,
		RunE: wantCommand,
	}
	cmd.AddCommand(newHistoryAdd(), newHistoryList(), newHistoryShow(), newHistoryTrend())
	return cmd
}

func newHistoryAdd() *cobra.Command {
	var commit string
	var replace bool
	var memory session.ResultsMemory
	rows := budget.New(budget.Own)
	cmd := &cobra.Command{
		Use:   "add [flags] DIR RESULTS...",
		Short: "keep runs",
		Long: `Add writes a file to DIR for each run. It makes DIR if there is none. Each of RESULTS is a
complete run that conform run -o has written. It has times if conform bench -o has written into the same
directory. A run is identified by its commit, device, system, options, shaders and start. A run that is there
already is left as it is. All of RESULTS are read before the first is added. To merge histories, copy the
files of one directory to the other.`,
		Example: `conform history add nights out
conform history add nights out -commit "$(git rev-parse HEAD)"
conform report -report json=whole part* && conform history add nights whole`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exit.Usagef("want DIR and RESULTS: the history, and what conform run -o has written")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return historyAdd(args[0], args[1:], commit, replace, sources{memory.Room(), rows}, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&commit, "commit", "", "the kernels are those of commit `HASH`, for results that name none")
	cmd.Flags().BoolVar(&replace, "replace", false,
		"replace a run in DIR that has the same identity and other measurements")
	memory.Add(cmd.Flags())
	session.AddBudget(cmd.Flags(), rows)
	return cmd
}

func newHistoryList() *cobra.Command {
	return &cobra.Command{
		Use:     "list DIR",
		Short:   "list runs",
		Long:    `List shows the runs of DIR in the order in which they started.`,
		Example: `conform history list nights`,
		Args:    historyArguments(1, "DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withHistory(args[0], func(_ *history.Store, nights []trend.Night) error {
				return listNights(cmd.OutOrStdout(), nights)
			})
		},
	}
}

func newHistoryShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show DIR RUN",
		Short: "show a run",
		Long: `Show prints what DIR keeps of RUN. RUN is the beginning of its commit, or of its name in
conform history list. If several match, it is the newest of them.`,
		Example: "conform history show nights 4f2a9c1",
		Args:    historyArguments(2, "DIR and RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withHistory(args[0], func(s *history.Store, nights []trend.Night) error {
				return showNight(cmd.OutOrStdout(), s, nights, args[1])
			})
		},
	}
}

// nightsShown is how many runs of a series a trend looks at.
const nightsShown = 30

// trendFlags are the flags of conform history trend.
type trendFlags struct {
	config.PolicyFlags
	last    int
	reports session.ReportFlag
}

func newHistoryTrend() *cobra.Command {
	f := &trendFlags{}
	for _, x := range trend.Formats() {
		f.reports.Formats = append(f.reports.Formats, x.Name)
	}
	cmd := &cobra.Command{
		Use:   "trend [flags] DIR",
		Short: "find where runs changed",
		Long: `Trend finds steps in the verdicts, the errors and the times of DIR, separately for each device,
system and set of options. For each step it names the last commit before it and the first one after it. The
probability that a series without a step shows one is at most 1 %. The exit status is 1 if a step for the
worse lasts to the newest run and the policy names its aspect.`,
		Example: `conform history trend nights                  the last 30 runs of each series
conform history trend nights -last 90
conform history trend nights -report markdown >> "$GITHUB_STEP_SUMMARY"
conform report out -report html=site -history nights`,
		Args: historyArguments(1, "DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return historyTrend(*f, args[0], cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.last, "last", nightsShown,
		fmt.Sprintf("look at the last `N` runs of each series; %d if not given", nightsShown))
	f.reports.Add(flags)
	f.PolicyFlags.Add(flags)
	return cmd
}

// historyArguments demands so many.
func historyArguments(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return exit.Usagef("want %s", what)
		}
		return nil
	}
}

// withHistory opens a history that is there.
func withHistory(dir string, do func(*history.Store, []trend.Night) error) error {
	s, err := history.Open(dir, false)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	nights, err := s.Nights()
	if err != nil {
		return exit.Usagef("%v", err)
	}
	return do(s, nights)
}

// historyAdd reads all results before it adds one.
func historyAdd(dir string, names []string, commit string, replace bool, from sources, stdout io.Writer) error {
	var runs []history.Run
	for _, name := range names {
		set, err := from.read(name)
		if err != nil {
			return err
		}
		switch {
		case set.Started.IsZero():
			return exit.Usagef("%s does not say when it started", name)
		case commit != "" && set.Commit != "" && set.Commit != commit:
			return exit.Usagef("-commit %s: %s is of commit %s", commit, name, set.Commit)
		case commit == "" && set.Commit == "":
			return exit.Usagef("%s names no commit of its kernels: add -commit HASH", name)
		case commit != "":
			set.Commit = commit
		}
		r, err := history.NewRun(set)
		if err != nil {
			return exit.Usagef("%s: %v", name, err)
		}
		runs = append(runs, r)
	}
	s, err := history.Open(dir, true)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	added, err := s.Add(runs, replace)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	for i, fresh := range added {
		what := map[bool]string{true: "added", false: "there already"}[fresh]
		fmt.Fprintf(stdout, "%s: %s, commit %s, %s\n", names[i], what, runs[i].Key.Commit,
			printable.Count(runs[i].Cases, "case"))
	}
	return nil
}

// listNights prints a line for each run.
func listNights(w io.Writer, nights []trend.Night) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "run\tstarted\tcommit\tcases\tfailing\tshaders\tdevice")
	for _, n := range nights {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%.7s\t%s, %s; %s\n", n.ID, n.Key.Started.Format("2006-01-02 15:04"),
			n.Key.Commit, n.Cases, n.Failing, n.Key.Shaders, n.Key.Device, n.Key.OS, n.Key.Options)
	}
	return table.Flush()
}

// showNight shows the newest run whose name or commit begins with the given text.
func showNight(w io.Writer, s *history.Store, nights []trend.Night, name string) error {
	nights = slices.DeleteFunc(slices.Clone(nights), func(n trend.Night) bool {
		return !strings.HasPrefix(n.ID, name) && !strings.HasPrefix(n.Key.Commit, name)
	})
	if len(nights) == 0 {
		return exit.Usagef("no run has the name or the commit %q (conform history list shows them)", name)
	}
	one := nights[len(nights)-1:]
	if err := s.Fill(one); err != nil {
		return exit.Usagef("%v", err)
	}
	n := one[0]
	fmt.Fprintf(w, "run %s, started %s\ncommit %s, shaders %s, seed %d\n%s, %s; %s\n%s, %d failing\n\n",
		n.ID, n.Key.Started.Format(time.RFC3339), n.Key.Commit, n.Key.Shaders, n.Seed,
		n.Key.Device, n.Key.OS, n.Key.Options, printable.Count(n.Cases, "case"), n.Failing)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "kernel\tcases\tfailing\terror/bound, typically\ttime of a case, typically\t")
	for i := range n.Kernels {
		k := &n.Kernels[i]
		for _, v := range k.NotPassed {
			if v.Status == suite.Fail || v.Status == suite.Error {
				fmt.Fprintf(w, "%s %s\n", v.Status, k.Name(v.Case))
			}
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\t\n", k.Kernel, k.Cases(), len(k.NotPassed),
			reports.Figure(float64(k.TypicalError)), reports.Duration(time.Duration(k.TypicalNS)))
	}
	return table.Flush()
}

// historyTrend finds the steps of all series.
func historyTrend(f trendFlags, dir string, stdout io.Writer) error {
	if f.last < 1 {
		return exit.Usagef("-last %d: want at least 1", f.last)
	}
	policy, err := f.Policy(reports.Run{})
	if err != nil {
		return err
	}
	trends, err := readTrends(dir, f.last, policy)
	if err != nil {
		return err
	}
	for _, r := range f.reports.OrText() {
		i := slices.IndexFunc(trend.Formats(), func(x trend.Format) bool { return x.Name == r.Format })
		var b bytes.Buffer
		if err := trend.Formats()[i].Write(&b, trends); err != nil {
			return exit.With(exit.Device, err)
		}
		if err := writeFile(r.File, b.Bytes(), stdout); err != nil {
			return exit.With(exit.Device, err)
		}
	}
	for _, t := range trends {
		if len(t.Failing()) > 0 {
			return exit.Silently(exit.Fails)
		}
	}
	return nil
}

// readTrends reads the last runs of each series of a history, and finds their steps.
func readTrends(dir string, last int, policy reports.Policy) (trends []trend.Trend, err error) {
	err = withHistory(dir, func(s *history.Store, nights []trend.Night) error {
		if len(nights) == 0 {
			return exit.Usagef("%s: there are no runs; conform history add adds some", dir)
		}
		nights = trend.Last(nights, last)
		if err := s.Fill(nights); err != nil {
			return exit.Usagef("%v", err)
		}
		trends = trend.Find(nights, policy)
		return nil
	})
	return trends, err
}
