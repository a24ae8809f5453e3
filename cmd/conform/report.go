package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

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
	format  session.Choice
	out     string
	limit   int
	partial bool
	strict  bool
	plots   plotFlags
	mutants string // file
	history string // directory
}

func newReport() *cobra.Command {
	f := &reportFlags{format: session.Choice{Value: "text", Words: formatNames()}}
	cmd := &cobra.Command{
		Use:   "report [flags] RESULTS...",
		Short: "show results, join shards, compare runs",
		Long: `Report shows what conform run -o has written: RESULTS are files, or directories with
a results.jsonl. Several are taken as the shards of one run; it is an error if one is
missing or there twice, or if they disagree about the run. The exit status is that of
the run: 0 if everything conforms, 1 if not, 2 if RESULTS cannot be read, and 3 if
the run is not whole and -partial let it pass.`,
		Example: `conform report out                                 the verdict, failures, the table
conform report out -baseline last                  what has changed
conform report out -baseline last -new             … and fail on that alone
conform report part*                               the shards of a run
conform report out -format junit -o junit.xml      for a CI server
conform report out -format html -o site            pages; site/index.html is the first
conform report out -plots plots -bench out/bench.txt
conform report out -format markdown >> "$GITHUB_STEP_SUMMARY"`,
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
	flags.Var(&f.format, "format", "write `FORMAT`: "+strings.Join(f.format.Words, ", ")+"; text if not given")
	flags.StringVarP(&f.out, "output", "o", "", "write `FILE` instead of standard output; for html, the directory")
	f.VerdictFlags.Add(flags)
	flags.IntVar(&f.limit, "limit", reports.SummaryLimit,
		"cut Markdown to at most `BYTES`, the least important first; 0 for no limit; if not given, that of a GitHub "+
			"job summary")
	flags.BoolVar(&f.partial, "partial", false,
		"show what is sound in results that are damaged or not whole, and what was left out")
	flags.BoolVar(&f.strict, "strict", false, "show what a strict run would have come to: findings that warn fail")
	flags.StringVar(&f.mutants, "mutants", "",
		"with html, also show the mutants in `FILE`, which conform mutate -json has written")
	flags.StringVar(&f.history, "history", "",
		"with html, also show where the runs in `DIR` changed, to which conform history add has added")
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

// render writes a view in the format of the given name.
func render(w io.Writer, name string, v reports.View) error {
	for _, f := range reports.Formats() {
		if f.Name == name {
			return f.Write(w, v)
		}
	}
	return fmt.Errorf("no format is called %q", name)
}

// report reads everything before it writes.
func report(f reportFlags, args []string, stdout, stderr io.Writer) error {
	switch {
	case f.format.Value == site && f.out == "":
		return exit.Usagef("-format html: name a directory with -o")
	case f.format.Value != site && f.mutants != "":
		return exit.Usagef("-mutants: only -format html shows them")
	case f.format.Value != site && f.history != "":
		return exit.Usagef("-history: only -format html shows it (conform history trend has text)")
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
	view.Limit, view.Colour = f.limit, f.out == "" && terminal.Coloured(stdout)
	var figures []plot.Figure
	if f.plots.dir != "" || f.format.Value == site {
		if figures, err = f.plots.figures(run, since); err != nil {
			return err
		}
	}
	if f.format.Value == site {
		err = html.Write(f.out,
			html.Site{View: view, Figures: figures, Mutants: mutants, Trends: trends, Most: f.plots.most})
	} else {
		err = renderTo(f.out, stdout, f.format.Value, view)
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
	return verdictStatus(view.Verdict())
}

// renderTo writes a view to a file, whose directory is made, or to standard output
// if there is no name. For pages the file is a directory.
func renderTo(file string, stdout io.Writer, format string, v reports.View) error {
	if format == site {
		return html.Write(file, html.Site{View: v, Figures: plot.All(v.Run, nil)})
	}
	var b bytes.Buffer
	if err := render(&b, format, v); err != nil {
		return err
	}
	if !edged(format) {
		stdout = terminal.Unsanitized(stdout)
	}
	return writeFile(file, b.Bytes(), stdout)
}

// edged reports whether a format leaves it to the edge what a line may begin with. The others escape all that they
// write; a text in CSV may have several lines.
func edged(format string) bool { return slices.Contains([]string{"text", "markdown", "csv"}, format) }
