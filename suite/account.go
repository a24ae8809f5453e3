package suite

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// Account judges one element by itself.
func (t *CaseRun) Account(name string, index []int) (Account, error) {
	i := slices.IndexFunc(t.buffers, func(b *buffer) bool { return b != nil && b.arg.Name == name })
	o := output{buffer: t.buffers[i], shape: t.Shape, answer: t.answers[name],
		exact: t.exacts.of(t.buffers[i], t.answers[name]), random: t.Input.Random, ranged: t.ranged(),
		left: t.unwritten()}
	if err := o.plainly(); err != nil {
		return Account{}, err
	}
	o.meter = metrics.NewMeter(metrics.Buffer{})
	n := o.arg.flat(t.Shape, index)
	if n >= o.count() {
		return Account{}, fmt.Errorf("%s has no element that is judged", name)
	}
	got, want, bound := o.value(n), o.answer.Want[n], o.answer.Bound(n)
	if _, err := o.element(n, got, want, bound); err != nil {
		return Account{}, err
	}
	a := Account{
		Output: name, Type: o.arg.Type.String(), Index: o.arg.index(t.Shape, n), Number: n,
		Want: Value(want), Got: o.arg.Type.spell(got), Bound: Bound{Value: Figure(bound)},
		Rule: o.rule(n, got, want, bound), Conforms: true,
	}
	a.Got.Bits = o.arg.Type.bits(o.arg.Type.word(o.payload(), n))
	a.Rounded = o.arg.Type.spell(want)
	for _, f := range o.failures(1) {
		a.Conforms, a.Check = false, f.Check
	}
	a.measure(o, n, got, want, bound)
	if o.exact != nil {
		if formula, known := o.exact.formula(n); known {
			v := o.exact.values[n]
			a.Exactly = &ExactAccount{Value(v.x), Value(v.e), Figure(formula), Figure(o.exact.rounding(n, got))}
		}
	}
	return a, nil
}

// rule is what conforms where the bound of an element is no positive number.
func (o output) rule(n int, got, want, bound float64) ElementRule {
	switch {
	case o.answer.Exact && o.answer.Plain && o.exact.undecided(n, got, want) && got != want:
		return RuleRounded
	case o.answer.Exact:
		return RuleExact
	case math.IsInf(bound, 1):
		return RuleAnything
	case math.IsNaN(bound):
		return RuleNonFinite
	case !isFinite(want), bound == 0:
		return RuleWant
	}
	return ""
}

// measure enters the error and the bounds of an element.
func (a *Account) measure(o output, n int, got, want, bound float64) {
	a.Deviation = o.arg.Type.deviation(got, want, bound)
	if a.Rule == "" {
		a.Bound.Terms = terms(o.answer.Parts(n))
	}
	if sharp, ok := o.answer.Statistical(n); ok && a.Rule == "" {
		ratio := o.arg.Type.deviation(got, want, sharp).ErrorRatio
		a.Statistical = &StatisticalBound{Bound{Figure(sharp), terms(o.answer.StatisticalParts(n))}, ratio, o.random}
	}
	format, float := o.arg.Type.Format()
	if !float || !isFinite(want) {
		return
	}
	for _, x := range neighbours(format, want) {
		a.Neighbours = append(a.Neighbours, Neighbour{o.arg.Type.spell(x), o.arg.Type.deviation(x, want, bound)})
	}
}

// spell is x, rounded to the type, with its bits.
func (t Type) spell(x float64) Word {
	w := t.encoded(x)
	return Word{Value(t.value(w)), t.bits(w)}
}

// bits spells a word in all its digits.
func (t Type) bits(w uint64) string { return fmt.Sprintf("0x%0*x", 2*t.Bytes(), w) }

// deviation is how far got is from want: not at all where both are NaN.
func (t Type) deviation(got, want, bound float64) Deviation {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return Deviation{}
	}
	d := Deviation{Error: got - want, Ulp: got - want, ErrorRatio: math.Abs(got-want) / bound}
	if format, float := t.Format(); float {
		d.Ulp = format.UlpError(got, want)
	}
	return Deviation{Figure(d.Error), Figure(d.Ulp), Figure(d.ErrorRatio)}
}

// neighbours are the numbers of a format next below and above x; those of a
// number of the format are not itself.
func neighbours(f oracles.Format, x float64) []float64 {
	r := f.Round(x)
	below, above := r, r
	if r >= x {
		below = next(f, r, -1)
	}
	if r <= x {
		above = next(f, r, 1)
	}
	return []float64{below, above}
}

// next is the number of the format next to one of it, above or below.
func next(f oracles.Format, x, direction float64) float64 {
	switch {
	case x == 0:
		return direction * f.SmallestSubnormal()
	case math.IsInf(x, 0) && x*direction > 0:
		return x
	case x*direction > 0:
		return f.FromBits(f.Bits(x) + 1)
	}
	return f.FromBits(f.Bits(x) - 1)
}

// The steps of a sum that are shown.
const firstSteps, lastSteps = 4, 2

// Sums are those that element n of an output rests on. The buffers hold what
// they did before the first launch.
func (t *CaseRun) Sums(output string, n int) []Sums {
	p := t.problem()
	contract := p.Contract
	ask := func(w *oracles.SumTracer) oracles.Answer {
		p.Contract = contract
		p.Contract.Tracer = w
		return t.Kernel.Oracle(p)[output]
	}
	var list []Sums
	for _, s := range oracles.Trace(ask, n) {
		list = append(list, Sums{
			Name: s.Name, Order: s.Sum.Order.String(), Formed: s.Formed, Found: s.Found, More: s.More,
			Error: Figure(s.Error), Share: s.Share, Most: partials(s),
		})
	}
	return list
}

// partials abbreviates the sum that contributes most.
func partials(s oracles.SumsNamed) Partials {
	p := Partials{
		Number: s.Sum.Number, Elements: s.Elements, Error: Figure(s.OwnError), Share: s.OwnShare,
		Terms: len(s.Sum.Steps), Lanes: s.Sum.Lanes, Value: Figure(s.Sum.Value), Within: Figure(s.Sum.Error),
		Magnitude: Figure(s.Sum.Terms), Running: Figure(s.Sum.Partials),
	}
	largest := 0
	for i, step := range s.Sum.Steps {
		if math.Abs(step.Value) > math.Abs(s.Sum.Steps[largest].Value) {
			largest = i
		}
	}
	for i, step := range s.Sum.Steps {
		if i < firstSteps || i == largest || i >= len(s.Sum.Steps)-lastSteps {
			p.Steps = append(p.Steps, Addition{i, step.Lane, step.Term, Figure(step.Value), Figure(step.Partial)})
		}
	}
	return p
}

// Summaries are those of all buffers that the kernel may read.
func (t *CaseRun) Summaries() []Summary {
	var list []Summary
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		s := b.summary(t.Shape, 0, b.count())
		s.Inputs = t.Case.filledBy(b.arg)
		list = append(list, s)
	}
	return list
}

// summary sums up so many elements from first on.
func (b *buffer) summary(s Shape, first, count int) Summary {
	out := Summary{Arg: b.arg.Name, Type: b.arg.Type.String(), Extents: sizes(b.arg, s), Axes: b.arg.axes(),
		Elements: count}
	format, float := b.arg.Type.Format()
	low, high := math.Inf(1), math.Inf(-1)
	for i := range count {
		x := b.value(first + i)
		switch {
		case !isFinite(x):
			out.NonFinite++
			continue
		case x == 0:
			out.Zeros++
		case float && math.Abs(x) < format.SmallestNormal():
			out.Subnormal++
		}
		low, high = min(low, x), max(high, x)
	}
	if low <= high {
		out.Min, out.Max = low, high
	}
	return out
}

// axes are the names of an argument's extents.
func (a Arg) axes() []string {
	names := make([]string, len(a.Extents))
	for i, e := range a.Extents {
		switch e := e.(type) {
		case Axis:
			names[i] = string(e)
		case fmt.Stringer: // of a specification, in its words
			if name := e.String(); isAxisName(name) {
				names[i] = name
			}
		}
	}
	return names
}

// isAxisName reports whether the words of an extent are the name of an axis and nothing else.
func isAxisName(s string) bool {
	other := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return s != "" && !strings.ContainsFunc(s, other) && !unicode.IsDigit(rune(s[0]))
}

// StoredAt are the lines of the source that store elements of an output.
func (t *CaseRun) StoredAt(output string) (lines []metalrun.Position) {
	program, err := t.shaders.plainProgram(t.Kernel.Name)
	if err != nil {
		return nil
	}
	stores, err := program.Stores(t.Kernel.Name)
	if err != nil {
		return nil
	}
	for _, s := range stores {
		if a, ok := t.Kernel.Args.At(s.Buffer); ok && a.Name == output {
			lines = with(lines, metalrun.Position{File: s.Position.File, Line: s.Position.Line})
		}
	}
	return lines
}

// Reads are the parts of the inputs that go with an element of an output by the
// names of axes: where an input has an axis of the output, the part has the
// element's index there; but its last extent is taken whole, as the terms of a
// sum are. What a kernel does read is for its definition to say.
func (t *CaseRun) Reads(output string, index []int) []Summary {
	out, _ := t.Kernel.Args.Find(output)
	at := map[string]int{}
	for i, name := range out.axes() {
		if name != "" {
			at[name] = index[i]
		}
	}
	var list []Summary
	number := 0 // of the element
	for i, n := range sizes(out, t.Shape) {
		number = number*n + index[i]
	}
	for _, b := range t.buffers {
		if b != nil && b.arg.Role != RoleOut && b.count() > 0 {
			near := 0 // what stands at the same place of an input that is as large and shares no axis
			if b.count() == out.Count(t.Shape) {
				near = number
			}
			list = append(list, b.part(t.Shape, at, near))
		}
	}
	return list
}

// part sums up the elements whose indices on axes, but for the last extent, are
// those of at. The fixed extents are the outermost ones of a part: the first
// that is not fixed ends them. Of the elements those are shown which lie round the element's own index on the last
// extent, or round another where the part is the whole buffer.
func (b *buffer) part(s Shape, at map[string]int, near int) Summary {
	names, extents := b.arg.axes(), sizes(b.arg, s)
	first, size := 0, b.count()
	var part []int
	last := len(extents) - 1
	for i := range extents[:max(last, 0)] {
		n, shared := at[names[i]]
		if !shared || n >= extents[i] {
			break
		}
		size /= extents[i]
		first += n * size
		part = append(part, n)
	}
	out := b.summary(s, first, size)
	out.Part = part
	if n, shared := at[names[last]]; shared && len(part) == last {
		near = n
	} else if part != nil {
		near = 0
	}
	out.Before = max(0, min(near-shownFirst/2, size-shownFirst))
	for i := range min(size, shownFirst) {
		out.First = append(out.First, Value(b.value(first+out.Before+i)))
	}
	if n, shared := at[names[last]]; shared && len(part) == last && n < size {
		out.Same = &Sample{b.arg.index(s, first+n), Value(b.value(first + n))}
	}
	return out
}

// shownFirst is how many elements of a part are shown.
const shownFirst = 6
