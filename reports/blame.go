package reports

import (
	"fmt"
	"io"
	"math"
	"strings"

	"metalconform/suite"
)

// maxBlamed bounds how many lines of the source a blame shows.
const maxBlamed = 20

// Blame writes where the error of an element comes from.
func (s Style) Blame(w io.Writer, b suite.Blame) error {
	var t strings.Builder
	got := float64(b.Got - b.Exact)
	bits := map[string]int{"f32": 24, "f16": 11, "bf16": 8}[b.Type]
	fmt.Fprintf(&t, "%s\n%s %s\n", b.Case, suite.Element{Stage: b.Stage, Arg: b.Output, Index: b.Index}, b.Type)
	fmt.Fprintf(&t, "  want   %.17g\n  exact  %.17g, what the kernel computes in exact arithmetic\n"+
		"  got    %.9g, off by %.3g", float64(b.Want), float64(b.Exact), float64(b.Got), got)
	if b.Exact != 0 {
		fmt.Fprintf(&t, ", which costs %.1f of %d bits", lostBits(got/float64(b.Exact), bits), bits)
	}
	within := "\n  any device is within %.3g, to first order %.3g\n"
	if b.Stage != "" {
		within = "\n  any device is within %.3g in this stage, to first order within %.3g with those before\n"
	}
	fmt.Fprintf(&t, within, float64(b.Error), float64(b.Bound))
	fmt.Fprintf(&t, "  the roundings below make %.3g of it\n", float64(b.First))
	if b.Runs > 1 {
		fmt.Fprintf(&t, "  threadgroups ran %d times to be recorded\n", b.Runs)
	}
	switch {
	case b.Formula != nil:
		blameFormula(&t, b)
		_, err := io.WriteString(w, t.String())
		return err
	case len(b.Lines) == 0:
		t.WriteString("\nno line is to blame: no operation that the element depends on rounds\n")
	default:
		t.WriteString("\n   share      bound     actual  operations  bits lost  line\n")
	}
	for i, l := range b.Lines {
		if i == maxBlamed {
			fmt.Fprintf(&t, "   … and %d lines more\n", len(b.Lines)-i)
			break
		}
		lost := ""
		if l.Lost >= 1 {
			lost = fmt.Sprintf("%.1f", l.Lost)
		}
		fmt.Fprintf(&t, "%6.1f %%  %9.3g  %9.3g  %10d  %9s  %s:%d  %s\n", 100*l.Share, float64(l.Bound),
			float64(l.Actual), l.Times, lost, l.File, l.Line, l.Code)
	}
	if len(b.Inputs) > 0 {
		t.WriteString("\ncondition by input: the factor by which a relative error of all elements grows at worst\n")
	}
	for _, in := range b.Inputs {
		fmt.Fprintf(&t, "  %-20s %.3g\n", in.Arg, in.Condition)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// blameFormula says of an element whose exact value is not the definition's where the two part, if that is known.
func blameFormula(t *strings.Builder, b suite.Blame) {
	f := b.Formula
	fmt.Fprintf(t,
		"\nnot rounding: the formula differs. In exact arithmetic the kernel is off by %.3g, which no rounding of the "+
			"definition explains.\n", float64(b.Exact-b.Want))
	operands(t, b)
	switch {
	case b.Stage != "" && f.Agrees == nil:
		fmt.Fprintf(t, "The stages before are not the cause: %s is judged on the inputs that it got. The line "+
			"where the values first differ cannot be known: the definition has no intermediate values.\n", b.Stage)
		return
	case f.Agrees == nil:
		t.WriteString("The line where the values first differ cannot be known: the definition has no intermediate " +
			"values for this element. An output that holds one, with its definition, would show it.\n")
		return
	}
	names := make([]string, len(f.Agrees))
	for i, e := range f.Agrees {
		names[i] = e.String()
	}
	fmt.Fprintf(t, "In exact arithmetic %s still agrees with the definition.\n", strings.Join(names, ", "))
	if len(f.Lines) == 0 {
		t.WriteString("The line where the values first differ cannot be known: all lines that round are " +
			"those of both.\n")
		return
	}
	t.WriteString("The values first differ in a line that it does not depend on:\n")
	for i, l := range f.Lines {
		if i == maxBlamed {
			fmt.Fprintf(t, "  … and %d lines more\n", len(f.Lines)-i)
			break
		}
		fmt.Fprintf(t, "  %s:%d  %s\n", l.File, l.Line, l.Code)
	}
}

// operands names what the definition makes the element of, and the lines that store it.
func operands(t *strings.Builder, b suite.Blame) {
	var reads, stored []string
	for _, in := range b.Formula.Reads {
		reads = append(reads, part(in))
	}
	for _, at := range b.Formula.Stored {
		stored = append(stored, fmt.Sprintf("%s:%d", at.File, at.Line))
	}
	if len(reads) > 0 {
		fmt.Fprintf(t, "Its definition takes %s.\n", conjunction(reads))
	}
	if len(stored) > 0 {
		fmt.Fprintf(t, "The kernel stores it at %s: follow the value back from there.\n", conjunction(stored))
	}
}

// lostBits is how many of so many significant bits a relative error costs.
func lostBits(relative float64, of int) float64 {
	return max(0, math.Log2(max(math.Ldexp(math.Abs(relative), of), 1)))
}
