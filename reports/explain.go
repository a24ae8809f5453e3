package reports

import (
	"fmt"
	"io"
	"math"
	"strings"

	"metalconform/suite"
)

// Explanation writes a case and the account of one of its elements.
func (s Style) Explanation(w io.Writer, e suite.Explanation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", e.Case, e.Doc)
	if e.Stage != nil {
		stage(&b, *e.Stage)
	}
	if e.Contract != "" {
		fmt.Fprintf(&b, "contract: %s\n", e.Contract)
	}
	fmt.Fprintf(&b, "%s, seed %d\n", e.Backend, e.Seed)
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if len(e.Scalars)+len(e.Inputs) > 0 {
		title := "inputs"
		if e.Stage != nil && e.Stage.Kernel == "" {
			title = "compared"
		}
		fmt.Fprintf(&b, "\n%s\n", title)
	}
	for _, x := range e.Scalars {
		fmt.Fprintf(&b, "  %s %s = %s\n", x.Name, x.Type, x.Value)
	}
	for _, in := range e.Inputs {
		fmt.Fprintf(&b, "  %s %s %s, %s: %s\n", in.Arg, in.Type, extents(in), in.Fill, contents(in))
	}
	if e.Element != nil {
		s.account(&b, *e.Element)
	}
	fmt.Fprintf(&b, "\ncase %s", s.verdict(e.Status))
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", strings.ReplaceAll(e.Message, e.Case+": ", ""))
	}
	fmt.Fprintf(&b, "\nrepeat: %s\n", e.Replay)
	_, err := io.WriteString(w, b.String())
	return err
}

// stage writes which stage or invariant of a pipeline is explained.
func stage(b *strings.Builder, s suite.Stage) {
	b.WriteString(s.Name)
	if !strings.HasSuffix(s.Name, s.Kernel) {
		fmt.Fprintf(b, " (%s)", s.Kernel)
	}
	if s.Doc != "" {
		fmt.Fprintf(b, ": %s", s.Doc)
	}
	b.WriteByte('\n')
}

// extents are those of a buffer, by name where they have one.
func extents(in suite.Summary) string {
	words := make([]string, len(in.Extents))
	for i, n := range in.Extents {
		words[i] = fmt.Sprint(n)
		if name := in.Axes[i]; name != "" {
			words[i] = fmt.Sprintf("%s=%d", name, n)
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// contents tells what a buffer or a part of it holds.
func contents(in suite.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s to %s", count(in.Elements, "element"), Figure(in.Min), Figure(in.Max))
	for _, n := range []struct {
		count int
		what  string
	}{
		{in.Zeros, "zero"}, {in.Subnormal, "subnormal"}, {in.NonFinite, "not finite"},
	} {
		if n.count > 0 {
			fmt.Fprintf(&b, ", %d %s", n.count, n.what)
		}
	}
	return b.String()
}

// account writes how an element came to its verdict.
func (s Style) account(b *strings.Builder, a suite.Account) {
	fmt.Fprintf(b, "\n%s%s, element %d\n", a.Output, position(a.Index), a.Number)
	for _, in := range a.Reads {
		part := in.Arg
		if in.Part != "" {
			part += "[" + in.Part + "]"
		}
		fmt.Fprintf(b, "  beside %s: %s: %s", part, contents(in), strings.Join(in.First, ", "))
		if in.Elements > len(in.First) {
			b.WriteString(", …")
		}
		if in.Same != "" {
			fmt.Fprintf(b, "; %s", in.Same)
		}
		b.WriteByte('\n')
	}
	if len(a.Reads) > 0 {
		b.WriteString("  (parts of inputs go with the element by the names of axes; what a kernel reads is for its definition to say)\n")
	}
	fmt.Fprintf(b, "  want        %s\n  in %-8s %s, bits %s\n  got         %s, bits %s\n", a.Want, a.Type, a.Rounded.Value, a.Rounded.Bits, a.Got.Value, a.Got.Bits)
	fmt.Fprintf(b, "  error       %s\n", deviation(a.Deviation, a.Bound))
	s.bounds(b, a)
	for _, x := range a.Sums {
		sums(b, x, a.Output)
	}
	for i, n := range a.Neighbours {
		fmt.Fprintf(b, "  next %s  %s, bits %s: error %s\n", [...]string{"below", "above"}[i], n.Value, n.Bits, deviation(n.Deviation, a.Bound))
	}
	if a.Conforms {
		fmt.Fprintf(b, "  %s\n", s.paint(green, "conforms"))
	} else {
		fmt.Fprintf(b, "  %s by %s\n", s.paint(red, "does not conform"), a.Check)
	}
}

// bounds writes what the error may be and where that comes from.
func (s Style) bounds(b *strings.Builder, a suite.Account) {
	if a.Rule != "" {
		fmt.Fprintf(b, "  conforming  %s\n", a.Rule)
		return
	}
	fmt.Fprintf(b, "  bound       %s, of which\n", Figure(finite(a.Bound)))
	for _, t := range a.Terms {
		fmt.Fprintf(b, "    %-9s %5.1f %%  %s\n", Figure(finite(t.Error)), 100*t.Share, t.Label)
	}
	if x := a.Sharp; x != nil {
		role := "it does not gate: the inputs are not random"
		if x.Gates {
			role = "it gates: the inputs are random"
		}
		fmt.Fprintf(b, "  statistical bound %s, from %s systematic and a standard deviation of %s; the error is %s of it; %s\n",
			Figure(finite(x.Bound)), Figure(finite(x.Systematic)), Figure(finite(x.Sigma)), Figure(finite(x.ErrorRatio)), role)
	}
}

// deviation spells an error in all its units.
func deviation(d suite.Deviation, bound float64) string {
	text := fmt.Sprintf("%s = %s ulp", Figure(finite(d.Error)), Figure(finite(d.Ulp)))
	if finite(bound) > 0 && !math.IsInf(finite(bound), 1) {
		text += fmt.Sprintf(" = %s of bound", Figure(finite(d.ErrorRatio)))
	}
	return text
}
