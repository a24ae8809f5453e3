package reports

import (
	"fmt"
	"io"
	"math"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
	"metalconform/suite/explain"
)

// Explanation writes a case and the account of one of its elements.
func (s Style) Explanation(w io.Writer, e explain.Explanation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", e.Case, e.Doc)
	if e.Stage != nil {
		stage(&b, *e.Stage)
	}
	if e.Contract != "" {
		fmt.Fprintf(&b, "contract: %s\n", e.Contract)
	}
	fmt.Fprintf(&b, "%s, seed %d", e.Backend, e.Seed)
	if e.Adversary > 0 {
		fmt.Fprintf(&b, ", adversary %d", e.Adversary)
	}
	b.WriteByte('\n')
	for _, n := range e.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", n)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	s.background(&b, e.Background)
	fmt.Fprintf(&b, "\ncase %s", s.verdict(e.Status))
	if text := e.Text(); text != "" {
		fmt.Fprintf(&b, ": %s", text)
	}
	fmt.Fprintf(&b, "\nrepeat: %s\n", e.Replay)
	_, err := io.WriteString(w, b.String())
	return err
}

// Background is what an element came from and how it came to its verdict, as explain writes it.
func (s Style) Background(g suite.Background) string {
	var b strings.Builder
	s.background(&b, g)
	return strings.TrimPrefix(b.String(), "\n")
}

// background writes scalars, inputs and the account of the element.
func (s Style) background(b *strings.Builder, e suite.Background) {
	if len(e.Scalars)+len(e.Inputs) > 0 {
		title := "inputs"
		if e.Stage != nil && e.Stage.Kernel == "" {
			title = "compared"
		}
		fmt.Fprintf(b, "\n%s\n", title)
	}
	for _, x := range e.Scalars {
		fmt.Fprintf(b, "  %s %s = %s\n", x.Name, x.Type, x.Value.Text(x.Type))
	}
	for _, in := range e.Inputs {
		fmt.Fprintf(b, "  %s %s %s, %s: %s\n", in.Arg, in.Type, extents(in), origin(in), contents(in))
	}
	if e.Element != nil {
		s.account(b, *e.Element)
	}
}

// stage writes which stage or invariant of a pipeline is explained.
func stage(b *strings.Builder, s suite.Stage) {
	b.WriteString(s.Name)
	if s.Named {
		fmt.Fprintf(b, " (%s)", s.Kernel)
	}
	switch {
	case s.Doc != "":
		fmt.Fprintf(b, ": %s", s.Doc)
	case s.Want != "":
		fmt.Fprintf(b, ": want is %s", s.Want)
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

// origin tells where the contents of a buffer come from, and in a pipeline which of
// its buffers it is.
func origin(in suite.Summary) string {
	text := in.Inputs
	switch {
	case in.Host:
		text = "made by the host"
	case in.Stage != "":
		text = "as of " + in.Stage
	}
	if in.From > 0 {
		text = fmt.Sprintf("from element %d on, %s", in.From, text)
		return in.Buffer + " " + text
	}
	if in.Buffer != "" {
		return in.Buffer + ", " + text
	}
	return text
}

// contents tells what a buffer or a part of it holds.
func contents(in suite.Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s to %s", printable.Count(in.Elements, "element"), Figure(in.Min), Figure(in.Max))
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
		first := make([]string, len(in.First))
		for i, x := range in.First {
			first[i] = x.Text(in.Type)
		}
		fmt.Fprintf(b, "  beside %s: %s: ", part(in), contents(in))
		if in.Before > 0 {
			fmt.Fprintf(b, "from element %d on ", in.Before)
		}
		b.WriteString(strings.Join(first, ", "))
		if in.Elements > in.Before+len(in.First) {
			b.WriteString(", …")
		}
		if in.Same != nil {
			fmt.Fprintf(b, "; %s%s = %s", in.Arg, position(in.Same.Index), in.Same.Value.Text(in.Type))
		}
		b.WriteByte('\n')
	}
	if len(a.Reads) > 0 {
		b.WriteString("  (inputs are matched to the element by the names of their axes; the kernel may read more " +
			"of them)\n")
	}
	fmt.Fprintf(b, "  want        %s\n  in %-8s %s, bits %s\n  got         %s, bits %s\n", exactly(a.Want), a.Type,
		a.Rounded.Value.Text(a.Type), a.Rounded.Bits, a.Got.Value.Text(a.Type), a.Got.Bits)
	fmt.Fprintf(b, "  error       %s\n", deviation(a.Deviation, a.Bound.Value))
	if x := a.Exactly; x != nil {
		fmt.Fprintf(b, "  exactly     %s, any device within %.3g: formula error %s; rounding error %s\n",
			exactly(x.Value), float64(x.Error), ofLimit(float64(x.Formula)), ofLimit(float64(x.Rounding)))
	}
	s.bounds(b, a)
	for _, x := range a.Sums {
		sums(b, x, a.Output)
	}
	for i, n := range a.Neighbours {
		fmt.Fprintf(b, "  next %s  %s, bits %s: error %s\n", [...]string{"below", "above"}[i], n.Value.Text(a.Type),
			n.Bits, deviation(n.Deviation, a.Bound.Value))
	}
	if a.Conforms {
		fmt.Fprintf(b, "  %s\n", s.paint(green, "passes"))
	} else {
		fmt.Fprintf(b, "  %s %s\n", s.paint(red, "fails"), a.Check.Noun())
	}
}

// ofLimit is an error as a multiple of its limit.
func ofLimit(x float64) string {
	if x == 0 {
		return "0"
	}
	return Figure(finite(x)) + " × its limit"
}

// part names a part of an input: x[2, :].
func part(in suite.Summary) string {
	if in.Part == nil {
		return in.Arg
	}
	words := make([]string, len(in.Extents))
	for i := range words {
		words[i] = ":"
		if i < len(in.Part) {
			words[i] = fmt.Sprint(in.Part[i])
		}
	}
	return in.Arg + "[" + strings.Join(words, ", ") + "]"
}

// exactly is a float64 in as many digits as tell it from any other.
func exactly(x suite.Value) string { return fmt.Sprintf("%.17g", float64(x)) }

// bounds writes what the error may be and where that comes from.
func (s Style) bounds(b *strings.Builder, a suite.Account) {
	if a.Rule != "" {
		fmt.Fprintf(b, "  conforming  %s\n", conforming(a))
		return
	}
	fmt.Fprintf(b, "  bound       %s, of which\n", Figure(finite(a.Bound.Value)))
	for _, t := range a.Bound.Terms {
		fmt.Fprintf(b, "    %-9s %5.1f %%  %s\n", Figure(finite(t.Value)), 100*t.Value/a.Bound.Value, t.Label)
	}
	if x := a.Statistical; x != nil {
		role := "it does not decide: the inputs are not random"
		if x.Gates {
			role = "it decides: the inputs are random"
		}
		parts := make([]string, len(x.Terms))
		for i, t := range x.Terms {
			parts[i] = Figure(finite(t.Value)) + " " + t.Label
		}
		fmt.Fprintf(b, "  statistical bound %s, of which %s; the error is %s of it; %s\n",
			Figure(finite(x.Value)), strings.Join(parts, " and "), Figure(finite(x.ErrorRatio)), role)
	}
}

// conforming says what conforms where that is no matter of a bound.
func conforming(a suite.Account) string {
	switch a.Rule {
	case suite.RuleExact:
		return "want in the output's format, bit for bit"
	case suite.RuleRounded:
		return "want, or another integer that roundings of floats on the way lead to on some device"
	case suite.RuleWant:
		return "want itself"
	case suite.RuleNonFinite:
		return "NaN or an infinity: which of them depends on an order that the contract leaves open"
	case suite.RuleAnything:
		return "anything: the contract promises nothing for this element"
	case suite.RuleBits:
		return fmt.Sprintf("the bits of %s", a.Same)
	}
	return string(a.Rule)
}

// deviation spells an error in all its units.
func deviation(d suite.Deviation, bound float64) string {
	text := fmt.Sprintf("%s = %s ulp", Figure(finite(d.Error)), Figure(finite(d.Ulp)))
	if finite(bound) > 0 && !math.IsInf(finite(bound), 1) {
		text += fmt.Sprintf(" = %s of bound", Figure(finite(d.ErrorRatio)))
	}
	return text
}
