package main

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/printable"
	"metalconform/reports/diagnostics"
)

// print prints what has not been seen before between the same two places.
func (t *tally) print(list []observation) error {
	for _, o := range list {
		between := []string{o.Position.String()}
		if o.Other != nil && o.Grade != metalrun.GradeNote {
			between = append(between, o.Other.Position.String())
		}
		slices.Sort(between)
		key := fmt.Sprint(o.Kernel, o.Check, o.Grade, between)
		if t.seen[key] {
			continue
		}
		t.seen[key] = true
		warning := ""
		switch {
		case o.Grade == metalrun.GradeNote:
		case o.Grade == metalrun.GradeUndefined && !t.strict:
			warning = "warning: "
			t.warned++
		default:
			t.found++
		}
		var err error
		switch t.format {
		case diagnostics.Text:
			severity := warning
			if o.Grade == metalrun.GradeNote {
				severity = "note: "
			}
			if !t.verbose && t.likewise(fmt.Sprint(o.Check, o.Grade, between), severity, o) {
				continue
			}
			_, err = fmt.Fprintf(t.stdout, "%s%s\n", warning, o)
		case diagnostics.JSON:
			err = encodeLines(t.stdout, []observation{o})
		default:
			err = t.out.Write([]diagnostics.Diagnostic{o.diagnostic(warning != "")}, t.text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// again is a finding of several kernels between the same two places. The first is told in full.
type again struct {
	check   string // and what it is but an error
	at      metalrun.Position
	kernels []string // the others
}

// likewise counts a finding that another kernel has shown between the same two places, and reports whether one has.
func (t *tally) likewise(between, severity string, o observation) bool {
	if o.fault != nil {
		between += fmt.Sprint(o.fault.Kind)
	}
	before := t.again[between]
	if before == nil {
		before = &again{check: severity + o.Check, at: o.Position}
		t.again[between] = before
		t.told = append(t.told, before)
		return false
	}
	before.kernels = append(before.kernels, o.Kernel)
	return true
}

// sum says what was done with the file.
func (t *tally) sum(u unit) error {
	if t.format != diagnostics.Text {
		return nil
	}
	for _, a := range t.told {
		if len(a.kernels) > 0 {
			fmt.Fprintf(t.stdout, "%s: %s: the same in %s; -v shows each\n", a.at, a.check, printable.Line(otherKernels(a.kernels)))
		}
	}
	verdict := "ok"
	if t.found > 0 || len(t.crashed) > 0 {
		verdict = plural(t.found, "finding")
	}
	if n := len(t.crashed); n > 0 {
		verdict += ", " + plural(n, "kernel") + " could not be judged"
	}
	if t.warned > 0 {
		verdict += ", " + plural(t.warned, "warning")
	}
	var names []string
	for _, k := range u.kernels {
		names = append(names, k.Name)
	}
	fmt.Fprintf(t.stdout, "%s: %s, %s; %s", t.file, verdict, kernelNames(names, t.verbose), plural(t.launches, "launch"))
	if t.cases > 0 {
		fmt.Fprintf(t.stdout, ", %d of them cases of the catalogue, whose values conform run -shaders judges", t.cases)
	}
	fmt.Fprintln(t.stdout)
	return nil
}

// otherKernels says how many kernels there are beside one, and names the first.
func otherKernels(names []string) string {
	const most = 3
	text := plural(len(names), "other kernel") + ": " + strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += ", …"
	}
	return text
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
