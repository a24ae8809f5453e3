package main

import (
	"fmt"
	"io"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/reports/diagnostics"
	"metalconform/suite/explore"
)

// fileReport prints what launches of the kernels of a file show.
type fileReport struct {
	explore.Report
	stdout  io.Writer
	out     *diagnostics.Writer                        // of formats that are neither text nor JSON
	text    func(file string) (source string, ok bool) // of the sources
	format  diagnostics.Format
	verbose bool
}

// Launched prints a launch.
func (r *fileReport) Launched(kernel metalrun.KernelInfo, how explore.Provenance) error {
	_, err := fmt.Fprintf(r.stdout, "%s: %s\n\t%s\n", kernel.Position, kernel.Name, how)
	return err
}

// Found prints what the kernel has not shown before between the same two places. Text that is not
// verbose has to wait for what other kernels show there.
func (r *fileReport) Found(f explore.Finding) error {
	if !r.Add(f) {
		return nil
	}
	switch {
	case r.format == diagnostics.JSON:
		return encodeLines(r.stdout, []explore.Finding{f})
	case r.format != diagnostics.Text:
		return r.out.Write([]diagnostics.Diagnostic{diagnosticOf(f, r.Warns(f))}, r.text)
	case r.verbose:
		return r.write(f)
	}
	r.Gather(f)
	return nil
}

// diagnosticOf is a finding as other programs read it.
func diagnosticOf(f explore.Finding, warns bool) diagnostics.Diagnostic {
	d := diagnostics.Diagnostic{Severity: diagnostics.Error, Detail: f.Launch.String()}
	d.Position, d.Code, d.Message = f.Position, f.Check, f.Kernel+": "+f.Message
	switch {
	case f.Grade == metalrun.GradeNote:
		d.Severity = diagnostics.Note
	case warns:
		d.Severity = diagnostics.Warning
	}
	if f.Other != nil {
		d.Notes = append(d.Notes,
			metalrun.DiagnosticNote{Position: f.Other.Position, Message: "the other party: " + f.Other.Does})
	}
	return d
}

// write prints a finding as text.
func (r *fileReport) write(f explore.Finding) error {
	label := r.label(f)
	if f.Grade == metalrun.GradeNote {
		label = "" // it says so itself
	}
	_, err := fmt.Fprintf(r.stdout, "%s%s\n", label, f)
	return err
}

// label is what a finding is but an error.
func (r *fileReport) label(f explore.Finding) string {
	switch {
	case f.Grade == metalrun.GradeNote:
		return "note: "
	case r.Warns(f):
		return "warning: "
	}
	return ""
}

// printGroups prints what was gathered, and says which other kernels have shown it.
func (r *fileReport) printGroups() error {
	var others strings.Builder
	for _, g := range r.Groups() {
		if err := r.write(g.Finding); err != nil {
			return err
		}
		if len(g.Kernels) > 0 {
			fmt.Fprintf(&others, "%s: %s%s: the same in %s; -v shows each\n",
				g.Position, r.label(g.Finding), g.Check, printable.Line(otherKernels(g.Kernels)))
		}
	}
	_, err := io.WriteString(r.stdout, others.String())
	return err
}

// sum says what was done with the file.
func (r *fileReport) sum(u explore.Unit, s explore.Summary) error {
	if r.format != diagnostics.Text {
		return nil
	}
	verdict := "ok"
	if r.Errors > 0 || len(s.Crashed) > 0 {
		verdict = printable.Count(r.Errors, "finding")
	}
	if n := len(s.Crashed); n > 0 {
		verdict += ", " + printable.Count(n, "kernel") + " could not be judged"
	}
	if r.Warnings > 0 {
		verdict += ", " + printable.Count(r.Warnings, "warning")
	}
	var names []string
	for _, k := range u.Kernels {
		names = append(names, k.Name)
	}
	fmt.Fprintf(r.stdout, "%s: %s, %s; %s", u.Program.Source().Name, verdict, kernelNames(names, r.verbose),
		printable.Count(s.Launches, "launch"))
	if s.Cases > 0 {
		fmt.Fprintf(r.stdout, ", %d of them cases of the catalogue, whose values conform run -shaders judges", s.Cases)
	}
	fmt.Fprintln(r.stdout)
	return nil
}

// otherKernels says how many kernels there are beside one, and names the first.
func otherKernels(names []string) string {
	const most = 3
	text := printable.Count(len(names), "other kernel") + ": " + strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += ", …"
	}
	return text
}
