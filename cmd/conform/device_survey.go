package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/metalrun/survey"
	"metalconform/metalrun/timing"
	"metalconform/shaders"
)

// surveyFlags are the flags of conform device without a command.
type surveyFlags struct {
	session.Selection
	out string
}

func (f *surveyFlags) define(cmd *cobra.Command) {
	f.AddDevice(cmd.Flags())
	cmd.Flags().StringVarP(&f.out, "o", "o", "", "write the report to `FILE`; device.json if not given")
}

// run asks the device here, or reads a report.
func (f *surveyFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return f.ask(cmd.OutOrStdout())
	case len(args) > 1 || !isFile(args[0]) && !strings.Contains(args[0], "."):
		return wantCommand(cmd, args)
	}
	return readSurvey(args[0], cmd.OutOrStdout())
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// ask asks the device everything, and keeps what there is after each section.
func (f *surveyFlags) ask(stdout io.Writer) error {
	if f.Backend.Value == "auto" && f.SimulatorFlag() == "" {
		f.Backend.Value = "metal" // a simulator is asked only by name
	}
	device, _, err := f.Open()
	if err != nil {
		return err
	}
	err = f.askOf(device, stdout)
	return errors.Join(err, device.Close())
}

func (f *surveyFlags) askOf(device metalrun.Runner, stdout io.Writer) error {
	version, _, _ := strings.Cut(versionText(), "\n")
	report, sources, err := survey.New(device.Device(), version, shaders.FS)
	if err != nil {
		return err
	}
	report.Power = timing.Supply()
	out := cmp.Or(f.out, "device.json")
	keep := func() error {
		text, err := json.MarshalIndent(report, "", " ")
		if err != nil {
			return err
		}
		if err := regular.Write(out, append(text, '\n')); err != nil {
			return exit.Usagef("-o: %w", err)
		}
		return nil
	}
	asked := report.Ask(device, append(sources, timing.Sources()...), keep)
	if err := writeSurvey(report, stdout); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\nthe report is in %s\n", out)
	if asked != nil {
		return exit.With(exit.Device, asked)
	}
	return nil
}

// readSurvey says what a report of some device says of what is assumed.
func readSurvey(name string, stdout io.Writer) error {
	text, err := regular.Read(name, survey.MostBytes)
	if err != nil {
		return exit.Usagef("%w", err)
	}
	report, err := survey.Open(text)
	if err != nil {
		return exit.Usagef("%s: %w", name, err)
	}
	changed, err := report.Changed(shaders.FS)
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		fmt.Fprintf(stdout, "these shaders are others now than those that the report is about: %s\n\n",
			printable.Line(strings.Join(changed, ", ")))
	}
	if err := writeSurvey(report, stdout); err != nil {
		return err
	}
	for _, j := range report.Judge() {
		if j.Verdict == survey.Refuted {
			return exit.Silently(exit.Fails)
		}
	}
	return nil
}

// writeSurvey begins with the number of assumptions that are refuted, and what they are.
func writeSurvey(report *survey.Report, w io.Writer) error {
	count := map[survey.Verdict]int{}
	judged := report.Judge()
	for _, j := range judged {
		count[j.Verdict]++
	}
	d := report.Device
	fmt.Fprintf(w, "%s: %s (%s): of %d assumptions %d are confirmed, %d refuted, %d not asked\n",
		printable.Line(d.Backend), printable.Line(d.Name), printable.Line(d.Detail), len(judged),
		count[survey.Confirmed], count[survey.Refuted], count[survey.NotAsked])
	if d.Backend == "simulator" {
		fmt.Fprintln(w, "these are answers of a simulator: they say nothing of a Mac")
	}
	if report.Stopped != "" {
		fmt.Fprintf(w, "the report is not complete: %s\n", printable.Line(report.Stopped))
	}
	for _, j := range judged {
		if j.Verdict == survey.Refuted {
			fmt.Fprintf(w, "\nREFUTED %s: %s\n  the device: %s\n  would change: %s\n", j.Name, j.Text,
				printable.Line(j.Why), j.Changes)
		}
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, j := range judged {
		fmt.Fprintf(t, "%s\t%s\t%s\n", j.Verdict, j.Name, cmp.Or(printable.Line(j.Why), j.Text))
	}
	return t.Flush()
}
