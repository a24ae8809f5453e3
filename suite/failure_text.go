package suite

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
)

// String is the failure for a reader: a sentence, and below it what supports it. A
// stage of a pipeline stands in front.
func (f Failure) String() string {
	if f.Stage != "" {
		return f.Stage + ": " + f.sentence()
	}
	return f.sentence()
}

// sentence says what a check has found, from its facts alone.
func (f Failure) sentence() string {
	switch {
	case f.Text != "":
		return f.found()
	case f.Expected != nil:
		return f.Expected.sentence()
	case f.Outside != nil:
		side := "past its end"
		if f.Outside.Before {
			side = "before its start"
		}
		return fmt.Sprintf("%s was written %s %s", f.Arg, printable.Count(f.Outside.Bytes, "byte"), side)
	case f.Cosine != nil:
		return fmt.Sprintf("cosine of %s is %.9g", f.Arg, float64(*f.Cosine))
	case f.Check == CheckTables:
		return fmt.Sprintf("%s: %s%s", f.At.Position, f.element(), f.elements())
	case f.Check == CheckRefusal:
		return "the host accepts a shape that it has to refuse"
	}
	return f.element() + f.elements()
}

// found is what a launch or the front end said, with the place in the source and
// the threads.
func (f Failure) found() string {
	if f.Kernel == "" || f.At == nil {
		return f.Text
	}
	text := fmt.Sprintf("%s: %s", f.At.Position, f.Text)
	switch f.Check {
	case CheckArguments, CheckTables:
		return text
	case CheckFunctions, CheckReadOnly, CheckWidths, CheckUndecided:
		return fmt.Sprintf("%s\n\tin %s", text, f.Kernel)
	case CheckFault:
		text += fmt.Sprintf("\n\tin %s, thread (%d,%d,%d) of threadgroup (%d,%d,%d)", f.Kernel,
			f.At.Thread[0], f.At.Thread[1], f.At.Thread[2], f.At.Threadgroup[0], f.At.Threadgroup[1],
			f.At.Threadgroup[2])
	default:
		text = fmt.Sprintf("%s: %s: %s\n\tin %s, %s", f.At.Position, f.Check, f.Text, f.Kernel, f.At)
	}
	if f.Other != nil {
		text += "\n\t" + f.Other.String()
	}
	return text + f.pairs() + metalrun.Evidence(f.Trials)
}

// pairs names other lines that a barrier orders which a race misses.
func (f Failure) pairs() string {
	var words []string
	for _, p := range f.Pairs {
		words = append(words, fmt.Sprintf("%d and %d", p[0], p[1]))
	}
	if words == nil {
		return ""
	}
	return "\n\tthe same barrier orders lines " + strings.Join(words, ", ")
}

// element says what is wrong with the worst element.
func (f Failure) element() string {
	name := Element{Arg: f.Arg, Index: f.Index}.String()
	got, want := f.GotText(), f.WantText()
	values := fmt.Sprintf("%s = %s, want %s", name, got, want)
	switch f.Check {
	case CheckBound:
		text := fmt.Sprintf("%s: %s\n\t|got-want| = %.3g", values, beyond("error", f.ErrorRatio, "x bound"), f.Error)
		if f.Bound != nil {
			text += fmt.Sprintf(", bound = %s", f.Bound)
		}
		return text
	case CheckStatistical:
		return values + f.statistical()
	case CheckFormula:
		text := fmt.Sprintf("%s: another formula: exact arithmetic gives %.17g", values, f.Exact.Value)
		if off := f.offFormula(); !math.IsInf(off, 0) {
			text += fmt.Sprintf(", off by %.3g of its size", off)
		}
		if f.ErrorRatio <= mostTimes {
			text += fmt.Sprintf(", %.3g x what float64 rounds away", f.ErrorRatio)
		}
		return text
	case CheckRounding:
		return fmt.Sprintf("%s: exact arithmetic gives %.17g, and no device may be off by more than %.3g; %s",
			values, f.Exact.Value, f.Exact.Error, beyond("this is", f.ErrorRatio, "x as far"))
	case CheckExact:
		return values + " exactly"
	case CheckUnwritten:
		return name + " was never written"
	case CheckDeterminism:
		return fmt.Sprintf("%s = %s in the first run and %s in %s, from the same inputs", name, want, got,
			f.Repeat.run())
	case CheckReadOnly:
		return fmt.Sprintf("%s is an input, but changed from %s to %s", name, want, got)
	case CheckUntouched:
		return fmt.Sprintf("%s must stay unchanged, but changed from %s to %s", name, want, got)
	case CheckEqual:
		return fmt.Sprintf("%s = %s, %s = %s, must have the same bits", name, got, f.Same, want)
	}
	return values
}

// offFormula is how far what the kernel computes is from its definition, relative to that.
func (f Failure) offFormula() float64 {
	want := float64(*f.Want)
	return math.Abs(f.Exact.Value-want) / max(math.Abs(want), math.SmallestNonzeroFloat64)
}

// statistical says by how much an element breaks the statistical bound, and what
// the rigorous one makes of it.
func (f Failure) statistical() string {
	over, below := ": "+beyond("error", f.ErrorRatio, "x statistical bound"),
		fmt.Sprintf("\n\t|got-want| = %.3g, statistical bound = %s", f.Error, f.Statistical)
	if f.Bound != nil {
		if ratio := f.Error / f.Bound.Value; ratio <= mostTimes {
			over += fmt.Sprintf(", %.3g x rigorous bound", ratio)
		}
		below += fmt.Sprintf("; rigorous bound = %s", f.Bound)
	}
	return over + below
}

// elements says how many elements fail, of how many, and which is the first.
func (f Failure) elements() string {
	if f.Count == 0 {
		return ""
	}
	verb := map[Check]string{
		CheckBound: " over", CheckStatistical: " over", CheckExact: " differ", CheckDeterminism: " differ",
		CheckEqual:  " differ",
		CheckTables: " differ", CheckFormula: " differ", CheckRounding: " over", CheckNonFinite: f.nonFinite(),
	}[f.Check]
	if f.Count == 1 && verb == " differ" {
		verb = " differs"
	}
	text := fmt.Sprintf("; %d of %s%s", f.Count, printable.Count(f.Of, "element"), verb)
	if f.Place != "" && f.Place != everyElement {
		text += ": " + f.Place
	} else if first := tuple(f.First); f.First != nil && first != tuple(f.Index) {
		text += fmt.Sprintf(", the first %s%s", f.Arg, first)
	}
	if r := f.Repeat; r != nil {
		text += fmt.Sprintf("; %s in %s", printable.Count(r.Distinct, "distinct output"), printable.Count(r.Runs,
			"run"))
	}
	return text
}

// nonFinite says which elements are finite and must not be, and which are not and must be.
func (f Failure) nonFinite() string {
	is, must := " are", "must be another value"
	if f.Count == 1 {
		is = " is"
	}
	if f.Want != nil && isFinite(float64(*f.Want)) {
		must = "must be finite"
	}
	switch {
	case f.Finite == f.Count:
		return is + " finite and must not be"
	case f.Finite == 0:
		return is + " NaN or infinite and " + must
	}
	return fmt.Sprintf(" are wrong: %d finite and must not be, %d NaN or infinite and must be another value", f.Finite,
		f.Count-f.Finite)
}

// mostTimes is the largest quotient of an error and its limit that says something to a reader.
const mostTimes = 1e4

// beyond says how far beyond a limit an error is, as a quotient between two words, if that says something.
func beyond(before string, ratio float64, limit string) string {
	if ratio > mostTimes {
		return "off by far more than rounding can explain"
	}
	return fmt.Sprintf("%s %.3g %s", before, ratio, limit)
}

// GotText spells what the kernel wrote; it is empty where the failure is about no
// value.
func (f Failure) GotText() string { return valueText(f.Got, f.Type, f.GotBits) }

// WantText spells what it should have written.
func (f Failure) WantText() string {
	if f.Quiet {
		return "qNaN"
	}
	return valueText(f.Want, f.Type, f.WantBits)
}

// valueText spells a value, with its bits where there are any.
func valueText(x *Value, typeName, bits string) string {
	switch {
	case x == nil:
		return ""
	case bits != "":
		return fmt.Sprintf("%s (bits %s)", x.Text(typeName), bits)
	}
	return x.Text(typeName)
}

// run names the run that differs.
func (r *Repetition) run() string {
	if r == nil {
		return "a later one"
	}
	return fmt.Sprintf("run %d", r.Run)
}

// String is the bound as the sum of its terms. Terms that vanish are left out.
func (b *Bound) String() string {
	text := fmt.Sprintf("%.3g", b.Value)
	if len(b.Terms) == 0 {
		return text
	}
	var parts []string
	for _, t := range b.Terms {
		if t.Value != 0 {
			parts = append(parts, fmt.Sprintf("%.2g %s", t.Value, t.Label))
		}
	}
	return text + " = " + strings.Join(parts, " + ")
}

// sentence says how the case failed its declaration.
func (x UnmetExpectation) sentence() string {
	if x.Conforms {
		return fmt.Sprintf("passes, and is expected to fail %s (%s): the entry is no longer needed for it",
			x.what(), x.because())
	}
	return fmt.Sprintf("is expected to fail only %s (%s)", x.what(), x.because())
}

// what is the failure that was declared, in words.
func (x UnmetExpectation) what() string {
	if x.Stage == "" {
		return x.Check.Noun()
	}
	return fmt.Sprintf("%s in %s", x.Check.Noun(), x.Stage)
}

// Sentences are the verdict on a case for a reader: one for each failure, or one
// that says why it was not judged. A pass has none.
func (r Result) Sentences() []string {
	var list []string
	for i, f := range r.Failures {
		text := f.String()
		if i+1 == len(r.Failures) || !f.sameRemedy(r.Failures[i+1]) {
			text += f.remedy()
		}
		list = append(list, text)
	}
	switch {
	case len(list) > 0:
	case r.Waiver != nil:
		list = append(list, fmt.Sprintf("not judged: %s", r.Waiver.because()))
	case r.Reason != "":
		text := r.Reason
		if r.Panicked {
			text = "panic: " + text
		}
		if r.StoppedAt != "" {
			text = r.StoppedAt + ": " + text
		}
		list = append(list, text)
	}
	if last := len(list) - 1; last >= 0 {
		list[last] += r.cause()
	}
	return list
}

// cause says on which device a case fails, if not on that of the run, and what it relies
// on.
func (r Result) cause() string {
	n := r.adversary()
	switch {
	case n > 0 && r.Relies != nil:
		return fmt.Sprintf("\n\ton adversary %d only: relies on unspecified behaviour, and fails if the device "+
			"chooses otherwise at %s", n, r.Relies)
	case n > 0:
		return fmt.Sprintf("\n\ton adversary %d only, a device that resolves every unspecified behaviour against the "+
			"kernel", n)
	case r.Relies != nil:
		return fmt.Sprintf("\n\trelies on unspecified behaviour: passes under the reference semantics, and fails "+
			"if the device chooses otherwise at %s", r.Relies)
	}
	return ""
}

// sameRemedy reports whether one declaration stands for both failures.
func (f Failure) sameRemedy(g Failure) bool {
	return f.Stage == g.Stage && f.NoRemedy == g.NoRemedy && f.Unasked == g.Unasked && f.Family == g.Family &&
		f.Subnormal == g.Subnormal && slices.Equal(f.Rounded, g.Rounded) && (f.Remedy == nil) == (g.Remedy == nil)
}

// remedy says which declaration would make the failure conform.
func (f Failure) remedy() string {
	switch {
	case f.NoRemedy:
		return "\n\tno declaration explains it"
	case f.Unasked:
		return "\n\tthese inputs hold infinities or NaN: if no host passes such values, inputs = [standard(finite " +
			"= True)] leaves them out, conform.Finite in Go"
	case f.Family != "":
		return fmt.Sprintf("\n\tif no host passes inputs such as %[1]s, inputs = [standard(without = "+
			"[%[1]q])] leaves them out, Without(%[1]q) in Go, "+
			"and standard(\"x\", …) names the arguments that it is for", f.Family)
	case f.Subnormal:
		return "\n\tthese inputs hold subnormal numbers: if no host passes such values, inputs = " +
			"[standard(without = [\"subnormal\"])] leaves them out, Without(\"subnormal\") in Go"
	case len(f.Rounded) > 0:
		return fmt.Sprintf("\n\tthe kernel gets %[1]s rounded to its type, and the definition does not use it: if "+
			"that computes the same number itself, it has more digits; let the oracle take %[1]s, Scalar(%[2]q) in Go",
			strings.Join(f.Rounded, " and "), f.Rounded[0])
	case f.Remedy == nil:
		return ""
	}
	where := "in conform.toml"
	if at := f.Remedy.Instead; at != "" {
		where = "in place of the entry at " + at
	}
	text := fmt.Sprintf("\n\tif that is what the kernel is meant to do, declare it %s: the error is then %.3g of "+
		"the bound", where, f.Remedy.ErrorRatio)
	switch f.Check {
	case CheckFunctions:
		text = fmt.Sprintf("\n\tif that is what the kernel is meant to do, declare it %s", where)
	case CheckTables:
		text = fmt.Sprintf("\n\tif the program is meant to use these numbers, declare it %s; if they are something "+
			"else, give them another name", where)
	}
	for line := range strings.Lines(f.Remedy.TOML()) {
		text += "\n\t\t" + strings.TrimSpace(line)
	}
	return text
}

// TOML is the entry as conform.toml has it, with a reason to be filled in.
func (r Remedy) TOML() string {
	var b strings.Builder
	if r.Table != nil {
		fmt.Fprintf(&b, "[[table]]\nname = %q\n", r.Table.Name)
		if r.Table.Constant != r.Table.Name {
			fmt.Fprintf(&b, "constant = %q\n", r.Table.Constant)
		}
		fmt.Fprintf(&b, "reason = \"say why\"\nexpires = %s\n", r.Expires)
		return b.String()
	}
	fmt.Fprintf(&b, "[[contract]]\nkernel = %q\n", r.Kernel)
	for i := 0; i < len(r.Contract); {
		first, same := r.Contract[i], []string{}
		if first.Name == "" {
			fmt.Fprintf(&b, "%s\n", first)
			i++
			continue
		}
		for ; i < len(r.Contract) && r.Contract[i].Key == first.Key; i++ {
			same = append(same, fmt.Sprintf("%s = %q", r.Contract[i].Name, r.Contract[i].Value))
		}
		fmt.Fprintf(&b, "%s = { %s }\n", first.Key, strings.Join(same, ", "))
	}
	fmt.Fprintf(&b, "reason = \"say why\"\nexpires = %s\n", r.Expires)
	return b.String()
}

// Text is the sentences, one below the other.
func (r Result) Text() string { return strings.Join(r.Sentences(), "\n") }

// Headline is the first line of the text.
func (r Result) Headline() string {
	line, _, _ := strings.Cut(r.Text(), "\n")
	return line
}

// adversary is the number of the adversary that the case fails on; 0 for none.
func (r Result) adversary() int {
	for _, f := range r.Failures {
		if f.Adversary > 0 {
			return f.Adversary
		}
	}
	return 0
}

// simdgroup is the number of its lanes.
const simdgroup = 32

// everyElement is the place of all.
const everyElement = "every element"

// places notes which elements of an output fail, in ascending order, as far as it takes to
// say where they lie: in rows along the last axis, and in simdgroups of threads that each
// write one element.
type places struct {
	count, rows int // of elements and of rows with one
	last        int // row
	left, right int // columns
	lanes       uint32
}

// note takes the next element that fails. Rows have width elements.
func (p *places) note(i, width int) {
	row, column := i/width, i%width
	if p.count == 0 {
		p.left, p.right, p.last = column, column, -1
	}
	if row != p.last {
		p.rows, p.last = p.rows+1, row
	}
	p.left, p.right = min(p.left, column), max(p.right, column)
	p.lanes |= 1 << (i % simdgroup)
	p.count++
}

// in says where they lie among n elements, in words that fit buffers of any size; "" if
// there is nothing to say.
func (p *places) in(n, width int) string {
	all := n / width
	of := map[bool]string{true: " of every row", false: " of some rows"}[p.rows == all]
	if all == 1 {
		of = ""
	}
	text := ""
	switch {
	case p.count == n:
		return everyElement
	case p.count == 1 && p.last == all-1 && p.right == width-1:
		return "the last element"
	case p.count == 1 && p.last == 0 && p.left == 0:
		return "the first element"
	case all > 1 && p.rows == 1 && p.last == all-1 && p.count > 1:
		return "in the last row"
	case p.left == p.right && p.left == width-1:
		text = "the last element" + of
	case p.left == p.right && p.left == 0:
		text = "the first element" + of
	case p.count > 1 && bits.OnesCount32(p.lanes) == 1:
		return fmt.Sprintf("lane %d", bits.TrailingZeros32(p.lanes))
	case p.count > 1 && p.left > 0 && p.count == p.rows*(width-p.left):
		text = "the tail" + of
	}
	return strings.TrimSpace(text)
}

// Kind is the same for failures of a kernel that are one to its author: by the same checks,
// each at the same place of an output or of the source, whatever the values.
func (r Result) Kind() string {
	if r.Status == Error || len(r.Failures) == 0 {
		return r.Text()
	}
	var b strings.Builder
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "%s %s %s %s %d\n", f.Stage, f.Check, f.Arg, f.Place, f.Adversary)
		switch {
		case f.At != nil:
			fmt.Fprintln(&b, f.At.Position)
			if f.Other != nil {
				fmt.Fprintln(&b, f.Other.Position)
			}
		case f.Arg == "":
			fmt.Fprintln(&b, f.Text)
		}
	}
	return b.String()
}
