package main

import (
	"fmt"
	"io"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/reports/diagnostics"
)

// print prints what has not been seen before between the same two places.
func (t *tally) print(list []observation) error {
	for _, o := range list {
		key := fmt.Sprint(o.Kernel, o.Grade, o.between())
		if t.seen[key] {
			continue
		}
		t.seen[key] = true
		warns := o.Grade == metalrun.GradeUndefined && !t.strict
		switch {
		case o.Grade == metalrun.GradeNote:
		case warns:
			t.warned++
		default:
			t.found++
		}
		var err error
		switch {
		case t.format == diagnostics.JSON:
			err = encodeLines(t.stdout, []observation{o})
		case t.format != diagnostics.Text:
			err = t.out.Write([]diagnostics.Diagnostic{o.diagnostic(warns)}, t.text)
		case t.verbose:
			err = t.write(o)
		default:
			t.gather(o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write prints an observation as text.
func (t *tally) write(o observation) error {
	severity := t.severity(o)
	if o.Grade == metalrun.GradeNote {
		severity = "" // it says so itself
	}
	_, err := fmt.Fprintf(t.stdout, "%s%s\n", severity, o)
	return err
}

// severity is what an observation is but an error.
func (t *tally) severity(o observation) string {
	switch {
	case o.Grade == metalrun.GradeNote:
		return "note: "
	case o.Grade == metalrun.GradeUndefined && !t.strict:
		return "warning: "
	}
	return ""
}

// again is what kernels have shown between the same two places: the gravest of it, and the others.
type again struct {
	observation
	kernels []string // that have shown it beside this one
}

// gather keeps an observation of a kernel with those that others have shown at its places.
func (t *tally) gather(o observation) {
	between := o.between()
	before := t.again[between]
	switch {
	case before == nil:
		t.again[between] = &again{observation: o}
		t.told = append(t.told, t.again[between])
	case o.gravity() > before.gravity():
		*before = again{o, append(before.kernels, before.Kernel)}
	default:
		before.kernels = append(before.kernels, o.Kernel)
	}
}

// findings prints what was gathered, in the order in which places were come across, and says which other kernels have
// shown it. A note on a place where another kernel has an error is left out.
func (t *tally) findings() error {
	all := make([]observation, len(t.told))
	for i, a := range t.told {
		all[i] = a.observation
	}
	grave := gravest(all)
	var others strings.Builder
	for _, a := range t.told {
		if grave.hides(a.observation) {
			continue
		}
		if err := t.write(a.observation); err != nil {
			return err
		}
		if len(a.kernels) > 0 {
			fmt.Fprintf(&others, "%s: %s%s: the same in %s; -v shows each\n", a.Position, t.severity(a.observation), a.Check, printable.Line(otherKernels(a.kernels)))
		}
	}
	t.told = nil
	_, err := io.WriteString(t.stdout, others.String())
	return err
}

// sum says what was done with the file.
func (t *tally) sum(u unit) error {
	if t.format != diagnostics.Text {
		return nil
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
