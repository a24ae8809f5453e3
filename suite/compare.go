package suite

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"

	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// compareOutputs compares every buffer with what it may hold after the run, and measures
// outputs by the metrics of a table. left tells unwritten elements from wrong values. ranged says
// that results have to stay within the range of their type.
func compareOutputs(c Case, ranged bool, buffers []*buffer, answers Answers, exact *exactRun,
	table metrics.Table, left *unwritten) (figures, []Failure, error) {
	var f figures
	var failures []Failure
	for _, b := range buffers {
		if b == nil {
			continue
		}
		if b.arg.Writable() {
			answer, err := answers.of(b)
			if err != nil {
				return f, nil, err
			}
			o := output{buffer: b, shape: c.Shape, answer: answer, exact: exact.of(b, answer), random: c.Input.Random,
				ranged: ranged, left: left}
			if err := o.plainly(); err != nil {
				return f, nil, err
			}
			found, err := o.compare(&f, table)
			if err != nil {
				return f, nil, err
			}
			failures = append(failures, found...)
		}
		failures = append(failures, b.changed(c.Shape)...)
	}
	return f, failures, nil
}

// report enters the figures in a result.
func (f *figures) report(r *Result) {
	r.Elements, r.Open, r.ErrorRatio, r.Worst, r.Outputs = f.elements, f.open, f.ratio, f.worst, f.outputs
}

// largestUlp is the largest error of the outputs against answers, in units in
// the last place, where both are finite.
func largestUlp(buffers []*buffer, answers Answers) float64 {
	var largest float64
	for _, b := range buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		format, ok := b.arg.Type.Format()
		if !ok {
			continue
		}
		for i, want := range answers[b.arg.Name].Want {
			if got := b.value(i); isFinite(got) && isFinite(want) {
				largest = max(largest, math.Abs(metrics.UlpError(format, got, want)))
			}
		}
	}
	return largest
}

// output is one output with the answer that judges it.
type output struct {
	*buffer
	shape  Shape
	answer oracles.Answer
	exact  *exactOutput // nil: not known
	random bool         // the inputs are: the statistical bound holds too
	ranged bool         // the inputs are such that results have to stay within the range of their type
	left   *unwritten   // tells unwritten elements from wrong values; nil: no element counts as unwritten

	meter    *metrics.Meter
	counters [7]counter // in the order of the checks
}

// tally is what one check found in one output.
type counter struct {
	count, first, worst int
	finite              int // of those that are not to be, in the check for numbers that are not finite
	ratio               float64
	places              places
}

// note records that element i fails a check, with its error ratio.
func (o *output) note(check, i int, ratio float64) {
	o.counters[check].note(i, ratio)
	o.counters[check].places.note(i, o.rowWidth())
	if check == byNonFinite && isFinite(o.value(i)) {
		o.counters[check].finite++
	}
}

// rowWidth is the extent of the last axis.
func (o *output) rowWidth() int {
	e := o.arg.Extents
	if len(e) == 0 {
		return 1
	}
	return e[len(e)-1].Size(o.shape)
}

// note records that element i fails, with its error ratio.
func (t *counter) note(i int, ratio float64) {
	if t.count == 0 {
		t.first, t.worst, t.ratio = i, i, ratio
	} else if ratio > t.ratio {
		t.worst, t.ratio = i, ratio
	}
	t.count++
}

// The checks of an element, in the order of output.tallies.
const (
	byBound = iota
	byStatistical
	byExact
	byNonFinite
	byUnwritten
	byFormula
	byRounding
)

// counts reports whether the definition gives some number beside which what may be flushed to zero is less than a
// rounding. Of smaller ones devices need not have the bits alike.
func (o *output) counts() bool {
	format, float := o.arg.Type.Format()
	return !float || slices.ContainsFunc(o.answer.Want,
		func(want float64) bool { return math.Abs(want) >= format.SmallestNormal()/format.UnitRoundoff() })
}

// compare compares each element that the kernel has to write.
func (o *output) compare(f *figures, table metrics.Table) ([]Failure, error) {
	skip := o.ranges
	var values [256]float64 // of the block of elements under way
	o.meter = metrics.NewMeter(o.arg.measured(o.shape))
	judged, scale := 0, o.scale()
	for i, want := range o.answer.Want {
		if i%len(values) == 0 {
			o.decode(values[:min(len(values), len(o.answer.Want)-i)], i)
		}
		if len(skip) > 0 && i >= skip[0].First {
			if i == skip[0].End-1 {
				skip = skip[1:]
			}
			o.meter.Unjudged(i)
			continue
		}
		if o.answer.Free(i) {
			o.meter.Unjudged(i)
			continue
		}
		judged++
		got := values[i%len(values)]
		bound := o.allowance(i, got)
		if o.exact.mayBeBeside(i, got, want) {
			f.open++
			o.meter.Unjudged(i)
			continue
		}
		ratio, err := o.element(i, got, want, bound)
		switch {
		case err != nil:
			return nil, err
		case math.IsInf(bound, 1) && ratio == 0:
			f.open++
			o.meter.Unjudged(i)
			if o.exact != nil && o.answer.Plain {
				o.meter.Unknown++
				f.unjudged++
			}
			continue
		}
		o.meter.Judged(i, ratio)
		if o.exact.held(i) && o.answer.Plain {
			f.unjudged++
			f.held++
		}
		if !o.answer.Exact {
			o.askExactly(i, got, want, bound)
		} else if ratio == 0 && got != want && isFinite(got) { // undecided
			o.meter.Unknown++
			o.askExactly(i, got, want, bound)
		}
		switch {
		case isFinite(got) && isFinite(want):
			o.meter.Add(i, got, want, scale(i))
		case !o.missing(i, got, want):
			o.meter.NonFinite(got, want)
		}
	}
	for _, t := range o.counters {
		o.meter.Mismatched += t.count
	}
	if o.answer.Plain && judged > 0 && o.meter.Unknown == judged && o.exact != nil && o.exact.run.takesApart() &&
		o.counts() {
		return nil,
			fmt.Errorf("the oracle of %s gives values without a budget, and exact execution knows nothing of any "+
				"element: %s; have it return a bound too, as bounded(values, error) does, or keep floats as floats",
				o.arg.Name, o.exact.run.unknown())
	}
	f.elements += judged
	f.unknown += o.meter.Unknown
	if worst := o.meter.ErrorRatio; worst.Value > f.ratio {
		f.ratio, f.worst = Figure(worst.Value), &Element{Arg: o.arg.Name, Index: o.arg.index(o.shape, worst.At)}
	}
	f.outputs = append(f.outputs, o.meter.Output(table.Or()))
	return o.failures(judged), nil
}

// scale gives Σ|terms| by element, and the largest exact value that is judged where the
// oracle has no sums.
func (o *output) scale() func(i int) float64 {
	if s := o.answer.Scale; s != nil {
		return func(i int) float64 { return s[i] }
	}
	var largest float64
	skip := o.ranges
	for i, want := range o.answer.Want {
		if len(skip) > 0 && i >= skip[0].First {
			if i == skip[0].End-1 {
				skip = skip[1:]
			}
			continue
		}
		if size := math.Abs(want); size <= math.MaxFloat64 {
			largest = max(largest, size)
		}
	}
	return func(int) float64 { return largest }
}

// differences judges the elements of outputs that have other bits than in the run that
// the case is held against, which passed, and measures nothing.
func (t *CaseRun) differences() ([]Failure, error) {
	var failures []Failure
	left := t.unwritten()
	for i, b := range t.buffers {
		if b == nil {
			continue
		}
		if b.arg.Writable() {
			answer, err := t.answers.of(b)
			if err != nil {
				return nil, err
			}
			o := output{buffer: b, shape: t.Shape, answer: answer, exact: t.exacts.of(b, answer),
				random: t.Input.Random, ranged: t.ranged(), left: left}
			var passed []byte
			if t.against != nil {
				passed = t.against[i][Guard : len(b.data)-Guard]
			}
			if err := o.plainly(); err != nil {
				return nil, err
			}
			found, err := o.compareBeside(passed)
			if err != nil {
				return nil, err
			}
			failures = append(failures, found...)
		}
		failures = append(failures, b.changed(t.Shape)...)
	}
	return failures, nil
}

// compareBeside compares each element that the kernel has to write, unless it has the bits
// that passed before; nil for none.
func (o *output) compareBeside(passed []byte) ([]Failure, error) {
	const block = 256 // elements whose bits are compared at once
	payload, n := o.payload(), len(o.answer.Want)
	o.meter = metrics.NewMeter(metrics.Buffer{})
	for first := 0; first < n; first += block {
		end := min(first+block, n)
		from, to := first*o.arg.Type.Bytes(), end*o.arg.Type.Bytes()
		if passed != nil && bytes.Equal(payload[from:to], passed[from:to]) {
			continue
		}
		if err := o.elementsBeside(first, end, passed); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(o.counters[:], func(t counter) bool { return t.count > 0 }) {
		return nil, nil
	}
	judged := 0
	for i := range n {
		if !o.answer.Free(i) && !o.skips(i) {
			judged++
		}
	}
	return o.failures(judged), nil
}

// elementsBeside does so with elements [first, end).
func (o *output) elementsBeside(first, end int, passed []byte) error {
	payload, t := o.payload(), o.arg.Type
	for i := first; i < end; i++ {
		if o.answer.Free(i) || o.skips(i) {
			continue
		}
		w := t.word(payload, i)
		if passed != nil && w == t.word(passed, i) {
			continue
		}
		got, want := t.value(w), o.answer.Want[i]
		bound := o.allowance(i, got)
		if _, err := o.element(i, got, want, bound); err != nil {
			return err
		}
		o.askExactly(i, got, want, bound)
	}
	return nil
}

// allowance is how far a value may be from element i. One that overflows may do so on some device where nothing else is
// known.
func (o *output) allowance(i int, got float64) float64 {
	if o.answer.Plain && o.exact.overflows(i, got) {
		return math.Inf(1)
	}
	return o.answer.Bound(i)
}

// skips reports whether the kernel need not write element i.
func (o *output) skips(i int) bool {
	at := sort.Search(len(o.ranges), func(k int) bool { return o.ranges[k].End > i })
	return at < len(o.ranges) && o.ranges[at].First <= i
}

// of is the answer for a buffer.
func (a Answers) of(b *buffer) (oracles.Answer, error) {
	answer, ok := a[b.arg.Name]
	switch {
	case !ok:
		return answer, fmt.Errorf("the oracle has no answer for %s", b.arg.Name)
	case len(answer.Want) != b.count():
		return answer, fmt.Errorf("the oracle has %d elements for %s, want %d", len(answer.Want), b.arg.Name, b.count())
	}
	return answer, nil
}

// measured describes an output at shape s.
func (a Arg) measured(s Shape) metrics.Buffer {
	b := metrics.Buffer{Name: a.Name, Type: a.Type.String(), Extents: sizes(a, s), Axes: make([]string, len(a.Extents))}
	b.Format, b.Float = a.Type.Format()
	for i, e := range a.Extents {
		if axis, ok := e.(Axis); ok {
			b.Axes[i] = string(axis)
		}
	}
	return b
}

// element judges one element and returns its error as a fraction of its bound.
func (o *output) element(i int, got, want, bound float64) (ratio float64, err error) {
	if o.missing(i, got, want) {
		o.note(byUnwritten, i, math.Inf(1))
		return math.Inf(1), nil
	}
	if coarse(want, bound) {
		if err := o.unresolved(i, want, bound); err != nil {
			return 0, err
		}
	}
	switch {
	case o.answer.Exact:
		if o.same(i, want) || o.answer.Plain && o.exact.undecided(i, got, want) {
			return 0, nil
		}
		o.note(byExact, i, math.Inf(1))
		return math.Inf(1), nil
	case math.IsInf(bound, 1):
		if !isFinite(got) && o.lost(want) {
			o.note(byNonFinite, i, math.Inf(1))
			return math.Inf(1), nil
		}
		return 0, nil
	case bound < 0, math.IsNaN(bound) && isFinite(want):
		return 0, fmt.Errorf("the oracle's bound of %s is %v", Element{Arg: o.arg.Name, Index: o.arg.index(o.shape, i)},
			bound)
	case !isFinite(want):
		if math.IsNaN(want) && math.IsNaN(got) || got == want || math.IsNaN(bound) && !isFinite(got) {
			return 0, nil
		}
		o.note(byNonFinite, i, math.Inf(1))
		return math.Inf(1), nil
	case !isFinite(got):
		if format, ok := o.arg.Type.Format(); ok && got == format.Round(want) {
			return 0, nil // beyond the largest finite number
		}
		o.note(byNonFinite, i, math.Inf(1))
		return math.Inf(1), nil
	}
	diff := math.Abs(got - want)
	if o.random && diff <= bound {
		o.scattered(i, diff)
	}
	switch {
	case diff == 0 && o.answer.Signed && bound == 0 && math.Signbit(got) != math.Signbit(want):
		o.note(byExact, i, math.Inf(1))
		return math.Inf(1), nil
	case diff == 0:
		return 0, nil
	case diff <= bound && len(o.answer.Even) > 0 && o.answer.Even[i] && !o.same(i, want):
		o.note(byExact, i, diff)
		return math.Inf(1), nil
	case diff <= bound:
		if o.random {
			o.sharper(i, diff, bound)
		}
		return diff / bound, nil
	case bound == 0:
		o.note(byExact, i, diff)
		return math.Inf(1), nil
	}
	o.note(byBound, i, diff/bound)
	return diff / bound, nil
}

// lost reports whether a number has to be one although nothing bounds its error: what a definition without a
// budget gives for inputs that no sound kernel takes out of the range of its type.
func (o *output) lost(want float64) bool {
	format, float := o.arg.Type.Format()
	return o.answer.Plain && o.ranged && float && math.Abs(want) <= format.Max()
}

// sharper compares an error that the rigorous bound allows with the statistical
// one, where the oracle has derived one.
func (o *output) sharper(i int, diff, rigorous float64) {
	bound, ok := o.answer.Sharper(i, rigorous)
	if !ok {
		return
	}
	ratio := diff / bound
	o.meter.Sharper(i, ratio)
	if diff > bound {
		o.note(byStatistical, i, ratio)
	}
}

// scattered measures an error by its standard deviation, where that counts for more in
// the statistical bound than what is systematic.
func (o *output) scattered(i int, diff float64) {
	if i >= len(o.answer.Sigma) || !(o.answer.Systematic[i] < o.answer.Sigma[i]) {
		return
	}
	o.meter.Scattered(diff / o.answer.Sigma[i])
}

// missing reports whether it is known that nobody has written element i of a pure output. An integer may equal the
// pattern by right, where devices may differ, too, and so may a NaN whose payload the kernel chooses.
func (o *output) missing(i int, got, want float64) bool {
	if o.arg.Role != RoleOut || o.answer.Quiet && math.IsNaN(want) {
		return false
	}
	_, float := o.arg.Type.Format()
	if float && !math.IsNaN(got) { // most elements of most outputs
		return false
	}
	return (float || got != want && !(o.answer.Plain && o.exact.undecided(i, got, want))) && o.holds(i, pattern) &&
		o.left.leaves(o.buffer, i)
}

// same reports whether element i is want, rounded to the output's type, bit
// for bit. All NaN are the same, or all quiet ones.
func (o *output) same(i int, want float64) bool {
	t := o.arg.Type
	w := t.word(o.payload(), i)
	if o.answer.Words != nil {
		return w == o.answer.Words[i]
	}
	if math.IsNaN(want) {
		format, _ := t.Format()
		return math.IsNaN(t.value(w)) && (!o.answer.Quiet || w>>(format.Precision()-2)&1 == 1)
	}
	return w == t.encoded(want)
}

// failures are the checks that found something.
func (o *output) failures(judged int) []Failure {
	var out []Failure
	for check, t := range o.counters {
		if t.count > 0 {
			out = append(out,
				o.failure([...]Check{CheckBound, CheckStatistical, CheckExact, CheckNonFinite, CheckUnwritten,
					CheckFormula, CheckRounding}[check], t, judged))
		}
	}
	return out
}

// failure is one check with its worst element.
func (o *output) failure(check Check, t counter, judged int) Failure {
	i := t.worst
	got, want, bound := o.value(i), o.answer.Want[i], o.answer.Bound(i)
	if format, ok := o.arg.Type.Format(); ok && check == CheckExact && o.answer.Even[i] {
		want = format.Round(want)
	}
	f := o.differing(check, o.shape, i, got, want)
	f.First, f.Count, f.Of, f.ErrorRatio = o.arg.index(o.shape, t.first), t.count, judged, Figure(t.ratio)
	f.Place, f.Finite = t.places.in(o.count(), o.rowWidth()), t.finite
	if o.answer.Quiet && math.IsNaN(want) {
		f.Quiet, f.GotBits = true, o.arg.Type.bits(o.arg.Type.word(o.payload(), i))
	}
	if o.answer.Words != nil && got == want { // float64 does not tell the two apart
		f.GotBits, f.WantBits = o.arg.Type.bits(o.arg.Type.word(o.payload(), i)), o.arg.Type.bits(o.answer.Words[i])
	}
	switch check {
	case CheckFormula, CheckRounding:
		v := o.exact.values[i]
		f.Exact = &ExactValue{v.x, v.e}
	case CheckBound, CheckStatistical:
	default:
		f.ErrorRatio = math.MaxFloat64
	}
	if isFinite(got - want) {
		f.Error = math.Abs(got - want)
	}
	if isFinite(bound) && !o.answer.Exact {
		f.Bound = &Bound{bound, terms(o.answer.Parts(i))}
	}
	if check == CheckStatistical {
		statistical, _ := o.answer.Statistical(i)
		f.Statistical = &Bound{statistical, terms(o.answer.StatisticalParts(i))}
	}
	return f
}

// terms are the parts of a bound as data.
func terms(parts []oracles.Part) []Term {
	list := make([]Term, len(parts))
	for i, p := range parts {
		list[i] = Term{p.Label, Figure(p.Error)}
	}
	return list
}

// changed lists what changed and must not: guards, a read-only buffer, the
// untouched ranges of a writable one.
func (b *buffer) changed(s Shape) []Failure {
	var out []Failure
	if f, ok := b.guards(); ok {
		out = append(out, f)
	}
	switch {
	case b.arg.Role == RoleIn:
		if f, ok := b.compareBefore(s, CheckReadOnly, []Range{{0, b.count()}}); ok {
			out = append(out, f)
		}
	case len(b.ranges) > 0:
		if f, ok := b.compareBefore(s, CheckUntouched, b.ranges); ok {
			out = append(out, f)
		}
	}
	return out
}

// guards compares both guard regions with the pattern and names the written
// byte nearest to the buffer.
func (b *buffer) guards() (Failure, bool) {
	var want [Guard + 4]byte
	poison(want[:], pattern)
	head, tail := b.data[:Guard], b.data[len(b.data)-Guard:]
	phase := (len(b.data) - Guard) % 4
	wantTail := want[phase:][:Guard]
	if bytes.Equal(tail, wantTail) && bytes.Equal(head, want[:Guard]) {
		return Failure{}, false
	}
	for i := range Guard {
		if tail[i] != wantTail[i] {
			return Failure{Check: CheckGuard, Arg: b.arg.Name, Outside: &Outside{Bytes: i}}, true
		}
	}
	for i := Guard - 1; i >= 0; i-- {
		if head[i] != want[i] {
			return Failure{Check: CheckGuard, Arg: b.arg.Name, Outside: &Outside{Bytes: Guard - i, Before: true}}, true
		}
	}
	return Failure{}, false
}

// compareBefore compares ranges of elements with the contents before the run,
// bit for bit.
func (b *buffer) compareBefore(s Shape, check Check, ranges []Range) (Failure, bool) {
	if check == CheckReadOnly && bytes.Equal(b.payload(), b.before) {
		return Failure{}, false
	}
	t := b.arg.Type
	var found counter
	total := 0
	for _, r := range ranges {
		total += r.End - r.First
		for i := r.First; i < r.End; i++ {
			if t.word(b.payload(), i) != t.word(b.before, i) {
				found.note(i, 0)
			}
		}
	}
	if found.count == 0 {
		return Failure{}, false
	}
	i := found.first
	f := b.differing(check, s, i, b.value(i), t.value(t.word(b.before, i)))
	f.First, f.Count, f.Of = f.Index, found.count, total
	if got, want := b.value(i), t.value(t.word(b.before, i)); got == want || got != got && want != want {
		f.GotBits, f.WantBits = t.bits(t.word(b.payload(), i)), t.bits(t.word(b.before, i))
	}
	return f, true
}

// differing is a check that element i fails, with what it holds and what it should.
func (b *buffer) differing(check Check, s Shape, i int, got, want float64) Failure {
	return Failure{
		Check: check, Arg: b.arg.Name, Type: b.arg.Type.String(), Extents: sizes(b.arg, s), Index: b.arg.index(s, i),
		Got: new(Value(got)), Want: new(Value(want)),
	}
}

// figures are what a comparison measures, over all outputs of a case.
type figures struct {
	elements, open int
	unknown        int // elements that exact execution knows nothing of
	unjudged       int // those of them that nothing else bounds
	held           int // of these, those that are held to what the definition costs
	ratio          float64
	worst          *Element
	outputs        []metrics.Output
}

// allowance is the part of an element's bound that the uncertainty of the
// oracle's want may come to.
const allowance = 0.1

// step is half the distance of the numbers round want that an output narrower
// than the arithmetic can hold, and 0 for the others. The bound of such an output
// is that of its last rounding too, from a want that has not been rounded: the
// closer want is to a number, the smaller, and yet nothing but that number is
// right.
func (o *output) step(want float64) float64 {
	if f, ok := o.arg.Type.Format(); ok && f != oracles.F32 && isFinite(want) {
		return f.Ulp(want) / 2
	}
	return 0
}

// unresolved says that float64 is too coarse for the bound of element i, nil if
// it is not. It is a condition that every oracle must meet, and costs next to
// nothing: a want has been rounded to float64, so that it is uncertain by
// 2⁻⁵³|want| at least, unless it is a number of the output's type. With a bound
// of 0, which is the claim that there is no other right answer, it therefore has
// to be one.
//
// The bound of a plain answer is what the kernel's own arithmetic explains, which has no such claim.
//
// What an oracle loses on its way to want, the condition does not see: that is
// 2⁻²⁹·n of the bound at most where the budget charges each of n terms with a
// rounding of its own. Elsewhere package kerneltest finds it out.
func (o *output) unresolved(i int, want, bound float64) error {
	if o.answer.Exact || o.answer.Plain || !coarse(want, bound) || !isFinite(want) {
		return nil
	}
	if bound = max(bound, o.step(want)); !coarse(want, bound) || want == o.arg.Type.Round(want) {
		return nil
	}
	return fmt.Errorf("the oracle is not exact enough for %s: want = %.17g is not a number of %s, and its bound of "+
		"%.3g is below what float64 resolves",
		Element{Arg: o.arg.Name, Index: o.arg.index(o.shape, i)}, want, o.arg.Type, bound)
}

// coarse reports whether a bound is less than what float64 resolves of want.
func coarse(want, bound float64) bool { return bound*allowance < 0x1p-53*math.Abs(want) }
