package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/reports"
	"metalconform/reports/html"
	"metalconform/reports/plot"

	"github.com/spf13/cobra"
)

// reportFlags are the flags of conform report.
type reportFlags struct {
	session.VerdictFlags
	reports session.ReportFlag
	most    int // bytes of Markdown
	partial bool
	strict  bool
	plots   plotFlags
	mutants string // file
	history string // directory
}

func newReport() *cobra.Command {
	f := &reportFlags{reports: newReportFlag()}
	cmd := &cobra.Command{
		Use:   "report [flags] RESULTS...",
		Short: "show results, join shards",
		Long: `Report shows the results of conform run -o. RESULTS are files, or directories with a
results.jsonl. Several RESULTS are the shards of one run. It is an error if a shard is missing, or if shards
disagree about the run.

The exit status is that of the run: 0 for PASS, 1 for FAIL, 2 if RESULTS cannot be read, and 3 if the run is
not complete and -partial accepts that.`,
		Example: `conform report out                      verdict, failures, table
conform report part*                    the shards of a run
conform report out -baseline last -new  fail for new failures alone
conform report out -report junit=junit.xml -report html=site
conform report out -report markdown >> "$GITHUB_STEP_SUMMARY"
conform report out -plots plots -bench out/bench.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef("no results: name a file, or a directory that conform run -o has written")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return report(*f, args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	f.reports.Add(flags)
	f.VerdictFlags.Add(flags)
	flags.IntVar(&f.most, "max-bytes", reports.SummaryLimit,
		"cut Markdown to at most `BYTES`, the least important first; 0 for no limit; if not given, that of a GitHub "+
			"job summary")
	flags.BoolVar(&f.partial, "partial", false,
		"show the undamaged part of results that are damaged or not complete, and say what was left out")
	flags.BoolVar(&f.strict, "strict", false, "show the verdict of a strict run, in which findings that warn "+
		"fail")
	flags.StringVar(&f.mutants, "mutants", "",
		"with html, also show the mutants in `FILE`, which conform mutate -o has written")
	flags.StringVar(&f.history, "history", "",
		"with html, also show where the runs of the history `DIR` changed")
	f.plots.add(flags)
	return cmd
}

// formatNames are the formats of a report.
func formatNames() []string {
	var names []string
	for _, f := range reports.Formats() {
		names = append(names, f.Name)
	}
	return append(names, site)
}

// report reads everything before it writes.
func report(f reportFlags, args []string, stdout, stderr io.Writer) error {
	dir, pages := f.reports.Find(site)
	switch {
	case !pages && f.mutants != "":
		return exit.Usagef("-mutants: only -report html=DIR shows them")
	case !pages && f.history != "":
		return exit.Usagef("-history: only -report html=DIR shows it (conform history trend has text)")
	}
	if err := f.plots.check(); err != nil {
		return err
	}
	mutants, err := readMutants(f.mutants)
	if err != nil {
		return err
	}
	run, err := session.ReadRun(args, f.partial, f.Memory.Room())
	if err != nil {
		return err
	}
	trends, err := readHistory(f.history, run)
	if err != nil {
		return err
	}
	if f.strict {
		for i, r := range run.Results {
			run.Results[i] = r.Strictly()
		}
	}
	since, err := f.VerdictFlags.Baseline(f.partial)
	if err != nil {
		return err
	}
	required, err := f.Require.Names(session.CatalogueNames)
	if err != nil {
		return err
	}
	for _, name := range required {
		run.Required = append(run.Required, reports.Requirement{Kernel: name, By: f.Require.By()})
	}
	view, err := f.View(run, since, "")
	if err != nil {
		return err
	}
	view.Limit = f.most
	var figures []plot.Figure
	if f.plots.dir != "" || pages {
		if figures, err = f.plots.figures(run, since); err != nil {
			return err
		}
	}
	if pages {
		err = html.Write(dir,
			html.Site{View: view, Figures: figures, Mutants: mutants, Trends: trends, Most: f.plots.most})
	}
	if err == nil {
		err = renderAll(f.reports.OrText(), stdout, view)
	}
	if err == nil && f.plots.dir != "" {
		err = f.plots.write(figures)
	}
	if err != nil {
		return exit.With(exit.Device, err)
	}
	for _, flaw := range run.Flaws {
		fmt.Fprintf(stderr, "conform report: %v\n", flaw)
	}
	return verdictStatus(view.Verdict(), nil)
}

// newReportFlag is the flag of commands that write the reports of a run.
func newReportFlag() session.ReportFlag {
	return session.ReportFlag{Formats: formatNames(), Folders: []string{site}}
}

// renderAll writes a view to files, whose directories are made, or to standard output. Pages are written apart.
func renderAll(list []session.Report, stdout io.Writer, v reports.View) error {
	for _, r := range list {
		if r.Format == site {
			continue
		}
		v.Colour = r.File == "" && terminal.Coloured(stdout)
		i := slices.IndexFunc(reports.Formats(), func(f reports.Format) bool { return f.Name == r.Format })
		var b bytes.Buffer
		if err := reports.Formats()[i].Write(&b, v); err != nil {
			return err
		}
		to := stdout
		if !reports.Formats()[i].Plain {
			to = terminal.Unsanitized(stdout)
		}
		if err := writeFile(r.File, b.Bytes(), to); err != nil {
			return fmt.Errorf("-report %s: %w", r.Format, err)
		}
	}
	return nil
}
