package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/reports"
	"metalconform/reports/html"

	"github.com/spf13/cobra"
)

// compareFlags are the flags of conform compare.
type compareFlags struct {
	config.PolicyFlags
	format session.Choice
	out    string
	memory session.ResultsMemory
}

func newCompare() *cobra.Command {
	f := &compareFlags{format: session.Choice{Value: "text", Words: comparisonFormats()}}
	cmd := &cobra.Command{
		Use:   "compare [flags] BASE HEAD",
		Short: "compare two runs: verdicts, accuracy and times",
		Long: `Compare says what HEAD changes against BASE, two results of conform run -o: which
cases fail and did not, how the errors of each kernel are distributed below their
bounds, and how long cases take, if conform bench -o has written into the same
directories. Each row is improved, regressed, unchanged or inconclusive, and the last
says how many samples more would tell.

The exit status is 0 if nothing regressed that the policy names, 1 if something did, 2
if BASE or HEAD cannot be read or is not whole, and 3 if the output cannot be written.`,
		Example: `conform compare last out                           what has changed since last/
conform compare last out -fail verdicts            … and fail on verdicts alone
conform compare last out -format markdown >> "$GITHUB_STEP_SUMMARY"
conform compare last out -format html -o site      pages of out/; site/compare.html has the changes
conform report -format json -o whole part*         joins shards first`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return exit.Usagef("want two results, BASE and HEAD: files, or directories that conform run -o " +
					"has written")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return compare(*f, args[0], args[1], cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.Var(&f.format, "format", "write `FORMAT`: "+strings.Join(f.format.Words, ", ")+"; text if not given")
	flags.StringVarP(&f.out, "output", "o", "", "write `FILE` instead of standard output; for html, the directory")
	f.PolicyFlags.Add(flags)
	f.memory.Add(flags)
	return cmd
}

// comparisonFormats are the formats of a comparison.
func comparisonFormats() []string { return append(reports.ComparisonFormatNames(), site) }

// compare reads everything before it writes.
func compare(f compareFlags, base, head string, stdout io.Writer) error {
	if f.format.Value == site && f.out == "" {
		return exit.Usagef("-format html: name a directory with -o")
	}
	room := f.memory.Room()
	was, err := readSet(base, room)
	if err != nil {
		return err
	}
	is, err := readSet(head, room)
	if err != nil {
		return err
	}
	policy, err := f.Policy(is.Run)
	if err != nil {
		return err
	}
	c := reports.Compare(was, is, policy)
	if f.format.Value == site {
		figures, err := plotFlags{}.figures(is.Run, &was.Run)
		if err == nil {
			err = html.Write(f.out, html.Site{View: reports.View{Run: is.Run, Against: c}, Figures: figures})
		}
		if err != nil {
			return exit.With(exit.Device, err)
		}
	} else if err := writeComparison(f, c, stdout); err != nil {
		return exit.With(exit.Device, err)
	}
	if len(c.Regressions()) > 0 {
		return exit.Silently(exit.Fails)
	}
	return nil
}

// writeComparison writes a comparison to the file of the flags, or to standard output.
func writeComparison(f compareFlags, c *reports.Comparison, stdout io.Writer) error {
	var b bytes.Buffer
	if err := reports.WriteComparison(&b, f.format.Value, c, f.out == "" && terminal.Coloured(stdout)); err != nil {
		return err
	}
	return writeFile(f.out, b.Bytes(), stdout)
}

// writeFile writes a file, whose directory is made, or to standard output if there is no
// name.
func writeFile(name string, text []byte, stdout io.Writer) error {
	if name == "" {
		_, err := stdout.Write(text)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return regular.Write(name, text)
}

// readSet reads results, and the times that conform bench has written beside them, if it
// has: the single times of a run could never tell a change.
func readSet(name string, room *reports.Room) (reports.Set, error) {
	run, err := session.ReadRun([]string{name}, true, room)
	switch {
	case err != nil:
		return reports.Set{}, err
	case len(run.Flaws) > 0:
		return reports.Set{},
			exit.Usagef("%s is not whole: %w\n(conform report -partial shows what is sound, and conform report "+
				"-format json joins parts)", name, session.FlawsError(run.Flaws))
	}
	set := reports.Set{Run: run}
	dir := name
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		dir = filepath.Dir(name)
	}
	bench := filepath.Join(dir, "bench.txt")
	if _, err := os.Stat(bench); err != nil {
		return set, nil // there are none
	}
	times, err := readBench(bench)
	if err != nil {
		return set, exit.Usagef("%v", err)
	}
	set.Times = times
	return set, nil
}
