package suite

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// Exact is a device that executes kernels in exact arithmetic beside their values, and
// bounds what any device may be off by ([metalrun.Exact]). With it two questions are
// asked of each element beside its bound, and neither needs a tolerance:
//
//   - is the formula right: the same instructions in exact arithmetic give what the
//     definition gives, to 2⁻²⁰ of the bound;
//   - is the rounding right: the value is off by no more than the roundings, function
//     errors, orders and contractions add up to that Metal permits.
//
// The formula may be that of the second definition too ([Kernel.Secondary]): where the
// first is stated in values of the format, exact arithmetic gives the other.
//
// Elements of which nothing is known are open: they depend on a decision that another device
// may take otherwise, on an overflow, or on bits of a float taken apart.
type Exact struct {
	// Anchored takes the rounding of a value that a kernel reads back from a narrow format
	// for a part of the definition, as most definitions do that have such a value.
	// Unanchored takes it for an error: a kernel may have such a value where
	// its definition has none. It is asked where the formula is not right on the other.
	Anchored, Unanchored metalrun.Runner
	// ByText are the same devices with the numbers that the texts of literals say, with constants computed exactly from
	// the numbers of the format, and then with one literal of many digits moved. They are asked where the formula is
	// not right with the numbers of the format (exact_literal.go).
	ByText []Exact
	// Snapped are the same where the rounding of a sum with a magic number is part of the definition, asked where
	// notes tell of such sums and the formula is not right otherwise.
	Snapped *Exact
	// open opens others.
	open func(metalrun.Arithmetic) metalrun.Runner
	// Doubled, if not nil, are the same in double-double, asked where the formula is not right in
	// float64.
	Doubled *Exact
}

// NewExact opens the devices, with as many choices of the exact values of literals as there are beside those of their
// format.
func NewExact(choices int, open func(metalrun.Arithmetic) metalrun.Runner) *Exact {
	like := func(snapped bool) *Exact {
		with := func(a metalrun.Arithmetic) metalrun.Runner {
			a.Snapped = snapped
			return open(a)
		}
		e := &Exact{Anchored: with(metalrun.Arithmetic{}), Unanchored: with(metalrun.Arithmetic{Unanchored: true}),
			open: open}
		for choice := range choices {
			e.ByText = append(e.ByText, Exact{Anchored: with(metalrun.Arithmetic{Literals: choice + 1}),
				Unanchored: with(metalrun.Arithmetic{Unanchored: true, Literals: choice + 1})})
		}
		return e
	}
	e := like(false)
	e.Snapped = like(true)
	return e
}

// byText are the devices beside one of e's that take the texts of literals for their exact values.
func (e *Exact) byText(beside metalrun.Runner) []metalrun.Runner {
	var list []metalrun.Runner
	for _, m := range e.ByText {
		if beside == e.Anchored {
			list = append(list, m.Anchored)
		} else {
			list = append(list, m.Unanchored)
		}
	}
	return list
}

// devices are those that a kernel is asked about on.
func (e *Exact) devices(r Roundings) []metalrun.Runner {
	switch r {
	case RoundingsDefined:
		return []metalrun.Runner{e.Anchored}
	case RoundingsErrors:
		return []metalrun.Runner{e.Unanchored}
	}
	return []metalrun.Runner{e.Anchored, e.Unanchored}
}

// formulaPart is the part of its bound that an element's formula may be off by, and
// formulaRelative the part of the exact value where the bound is 0: float64 gives both
// sides to 10 digits of the bound.
const (
	formulaPart     = 0x1p-20
	formulaRelative = 1e-12
)

// digitless is what a definition's number may be off by that is so small that float64 has few digits of it.
func digitless(want float64) float64 {
	if size := math.Abs(want); size < 0x1p-970 {
		return size
	}
	return 0
}

// definitionPart is what float64 leaves a definition in any case: a few units in the last place.
const definitionPart = 0x1p-50

// exactValue is what is known of an element.
type exactValue struct {
	x, e float64
	// of x by the texts of literals: the value with the numbers of their formats
	inFormat float64
	second   float64 // what x may be off by since it depends on literals to first order only
	drawn    bool    // e is likely, from errors that were drawn, and no bound
	made     bool    // of bits, and certain: x has been rounded to the format
	// every device has an infinity or a NaN, where exact arithmetic has the number x
	leavesRange bool
}

// exactRun is what exact execution knows of the outputs of a case: floats, and integers whose definition is plain.
type exactRun struct {
	values    map[*buffer][]exactValue
	secondary Answers         // nil: the formula is that of the definition
	notes     []metalrun.Note // of the launches, by their places
	device    metalrun.Runner // that gave the values
	near      []Answers       // of the definition beside inputs that were led to decisions; nil: none were
	tied      bool            // a number was rounded to an integer just where it goes either way
	literals  bool            // have the numbers that their texts say
	strict    bool            // decisions that roundings or literals take are the definition's
	// where a value other than zero may count as zero; asked where nothing is known of an integer
	underflow []metalrun.Note
	subnormal bool                 // an input may, asked where some integer is not the same on every device
	edge      bool                 // an input holds a number at the edge of its format; asked where some are unknown
	narrow    bool                 // the formula is right but for roundings to half or bfloat inside
	unsettled map[string][]float64 // by output: what float64 leaves of the definition, where that was asked
	costs     map[string][]float64 // by output: what evaluating the definition costs, where something is unknown
	inRange   map[string][]float64 // by output: the same where every device leaves the range of float; nil: none does
	// those of the definition where what float64 has 0 for keeps its order; asked where an integer is another
	ranked Answers
}

// exactly launches the case on the exact device from the contents of its buffers, which it
// leaves as they are. A launch that ends in an error says nothing: that on the
// device of the run will. secondary are the answers of the second definition, if there is
// one.
func (t *CaseRun) exactly(secondary Answers) *exactRun {
	if t.exact == nil {
		return nil
	}
	run := &exactRun{secondary: secondary, near: t.near}
	t.askExact(run)
	if t.mayCost(run) && run.hasUnknown() {
		run.costs = t.costs()
	}
	run.edge = (run.hasUnknown() || run.hasInteger(func(v exactValue) bool { return !v.known() })) && t.atEdge()
	if t.Math.Mode == metalrun.MathSafe && t.Kernel.Arithmetic != nil && t.answers.Plain() && run.leavesRange() {
		run.inRange = t.costs()
	}
	if run.hasInteger(func(v exactValue) bool { return !v.known() }) {
		run.underflow = t.underflows()
	}
	run.subnormal = run.hasInteger(func(v exactValue) bool { return v.e > 0 }) && t.holdsSubnormal(t.problem())
	if t.answers.Plain() && run.otherIntegers(t.answers) {
		p := t.problem()
		p.Trial = Ranked
		run.ranked = t.promised(t.Kernel.Oracle(p))
	}
	return run
}

// otherIntegers reports whether exact arithmetic has some integer where the definition has another, or may have.
func (r *exactRun) otherIntegers(answers Answers) bool {
	for b, values := range r.values {
		if _, float := b.arg.Type.Format(); float || !answers[b.arg.Name].Plain {
			continue
		}
		for i, v := range values {
			if !v.known() || v.x != answers[b.arg.Name].Want[i] {
				return true
			}
		}
	}
	return false
}

// askExact asks devices, and how exact the definition is, until the formula is right or nothing is left to ask.
func (t *CaseRun) askExact(run *exactRun) {
	right := t.askDevices(t.exact, run)
	if run.snaps() && (!right || !run.knows() || run.madeByRounding(t.answers)) {
		snapped := &exactRun{secondary: run.secondary, near: run.near}
		if t.askDevices(t.exact.Snapped, snapped) {
			*run = *snapped
			return
		}
	}
	if right || t.exact.Doubled != nil && t.askDevices(t.exact.Doubled, run) {
		return
	}
	if t.answers.Plain() && run.values != nil {
		if run.unsettled = t.unsettled(); run.agrees(run.values, t.answers, leniently) {
			return
		}
	}
	if t.Kernel.Roundings == RoundingsDefined && t.answers.Plain() {
		values, _ := t.exactValues(t.exact.Unanchored)
		run.narrow = values != nil && run.agrees(values, t.answers, leniently)
	}
}

// mayCost reports whether what the definition costs bounds what nothing is known of: that is where roundings decide, or
// bits of floats are taken apart. Where a value leaves the range of float on the way, a device may have anything, and
// so where quotients may be joined, and sums taken apart.
func (t *CaseRun) mayCost(run *exactRun) bool {
	return t.Math.Mode == metalrun.MathSafe && t.Kernel.Arithmetic != nil && t.answers.Plain() && run.near == nil &&
		!t.Input.atEdge() && slices.ContainsFunc(run.notes, func(n metalrun.Note) bool {
		return n.Kind == metalrun.UnstableDecision || n.Kind == metalrun.TakenApart
	})
}

// hasUnknown reports whether nothing is known of some float.
func (r *exactRun) hasUnknown() bool {
	for b, values := range r.values {
		if _, float := b.arg.Type.Format(); float && slices.ContainsFunc(values, exactValue.open) {
			return true
		}
	}
	return false
}

// leavesRange reports whether every device leaves the range of float on the way to some element.
func (r *exactRun) leavesRange() bool {
	for _, values := range r.values {
		if slices.ContainsFunc(values, func(v exactValue) bool { return v.leavesRange }) {
			return true
		}
	}
	return false
}

// What an element may be off by that exact execution knows nothing of: some times what a straightforward evaluation of
// the definition loses, whose steps a kernel need not take, and a part of the value. Both are chosen, and no bound: an
// element that keeps to them is still counted among the undecided.
const (
	costFactor = 8
	costPart   = 0x1p-10
)

// costs are what evaluating the definition in the kernel's format may cost, by output and element: from errors that are
// drawn, as in [CaseRun.naively]. It is +Inf where the definition or one of the evaluations is not finite.
func (t *CaseRun) costs() map[string][]float64 {
	by := map[string][]float64{}
	for trial := range uint64(samples) {
		q := t.problem()
		q.Trial, q.Arithmetic = trial+1, t.Kernel.Arithmetic
		for name, answer := range t.promised(t.Kernel.Oracle(q)) {
			if by[name] == nil {
				by[name] = make([]float64, len(answer.Want))
			}
			for i, x := range answer.Want {
				off := x - t.answers[name].Want[i]
				by[name][i] += float64(off * off)
			}
		}
	}
	for name, squares := range by {
		for i, sum := range squares {
			want := math.Abs(t.answers[name].Want[i])
			if squares[i] = float64(costFactor*likely(sum)) + float64(costPart*want); !isFinite(squares[i]) {
				squares[i] = math.Inf(1)
			}
		}
	}
	return by
}

// hasInteger reports whether some integer is such.
func (r *exactRun) hasInteger(such func(v exactValue) bool) bool {
	for b, values := range r.values {
		if _, float := b.arg.Type.Format(); !float && slices.ContainsFunc(values, such) {
			return true
		}
	}
	return false
}

// known reports whether anything is.
func (v exactValue) known() bool { return isFinite(v.x) && isFinite(v.e) }

// open reports whether nothing is known of a float: a NaN or an infinity that every device has is known.
func (v exactValue) open() bool { return !v.known() && (isFinite(v.x) || v.e != 0) }

// underflows are the places at which a value other than zero may count as zero.
func (t *CaseRun) underflows() []metalrun.Note {
	runner := t.exact.open(metalrun.Arithmetic{Ranges: true})
	defer runner.Close()
	_, notes := t.exactValues(runner)
	return slices.DeleteFunc(notes, func(n metalrun.Note) bool { return n.Kind != metalrun.Underflow })
}

// unsettled is what float64 may leave of a definition: 1 + tanh(x) has no digit left far below 0. As for a kernel
// whose errors nothing bounds (exact_sample.go) they are drawn: in each trial every operation errs by a unit in
// the last place, up or down, which is more than float64 does. It is asked for only where a formula is not
// right otherwise.
func (t *CaseRun) unsettled() map[string][]float64 {
	by := map[string][]float64{}
	for trial := range uint64(samples) {
		p := t.problem()
		p.Trial = trial + 1
		for name, answer := range t.promised(t.Kernel.Oracle(p)) {
			if by[name] == nil {
				by[name] = make([]float64, len(answer.Want))
			}
			for i, x := range answer.Want {
				if off := x - t.answers[name].Want[i]; isFinite(off) {
					by[name][i] += float64(off * off)
				}
			}
		}
	}
	for _, squares := range by {
		for i := range squares {
			squares[i] = likely(squares[i])
		}
	}
	return by
}

// askDevices asks devices until the formula is right on one, and reports whether it is. What the run knows
// is of that, or of the first that gave anything. Where only roundings make what the definition has, another
// device may have it by the formula, and goes first.
func (t *CaseRun) askDevices(exact *Exact, run *exactRun) bool {
	before, made := run.values, (*exactRun)(nil)
	for _, device := range exact.devices(t.Kernel.Roundings) {
		values, notes := t.exactValues(device)
		run.tied = slices.ContainsFunc(notes, func(n metalrun.Note) bool { return n.Kind == metalrun.Tied })
		t.sample(values, notes,
			metalrun.Arithmetic{Unanchored: device == exact.Unanchored, Snapped: exact == t.exact.Snapped})
		if run.values == nil {
			run.values, run.notes, run.device = values, notes, device
		}
		known := *run
		known.values, known.notes, known.device = values, notes, device
		if values == nil || run.agrees(values, t.answers, leniently) || t.byText(exact, &known, device) {
			if known.widen(before); !known.madeByRounding(t.answers) {
				*run = known
				return true
			}
			if made == nil {
				made = &known
			}
		}
	}
	if made != nil {
		*run = *made
	}
	return made != nil
}

// widen keeps the bounds of devices that were asked before: those that carry values in double-double
// do not know what a compiler may rewrite.
func (r *exactRun) widen(before map[*buffer][]exactValue) {
	for b, known := range before {
		for i := range r.values[b] {
			if e := &r.values[b][i].e; known[i].e > *e {
				*e = known[i].e
			}
		}
	}
}

// takesApart reports whether bits of floats are taken for something else.
func (r *exactRun) takesApart() bool {
	return slices.ContainsFunc(r.notes, func(n metalrun.Note) bool { return n.Kind == metalrun.TakenApart })
}

// knows reports whether anything is known of every float.
func (r *exactRun) knows() bool {
	for b, values := range r.values {
		if _, float := b.arg.Type.Format(); float &&
			slices.ContainsFunc(values, func(v exactValue) bool { return !v.known() }) {
			return false
		}
	}
	return true
}

// snaps reports whether constants round sums.
func (r *exactRun) snaps() bool {
	return slices.ContainsFunc(r.notes, func(n metalrun.Note) bool { return n.Kind == metalrun.Snapped })
}

// unknown says why nothing is known of some elements.
func (r *exactRun) unknown() string {
	var reasons []string
	for _, n := range slices.Concat(r.underflow, r.notes) {
		switch n.Kind {
		case metalrun.Underflow:
			reasons = with(reasons, fmt.Sprintf("a value may count as zero at %s:%d", n.File, n.Line))
		case metalrun.UnstableDecision:
			reasons = with(reasons, fmt.Sprintf("rounding decides at %s:%d", n.File, n.Line))
		case metalrun.TakenApart:
			if n.File == "" {
				reasons = with(reasons, "bits of a float are stored in parts")
				continue
			}
			reasons = with(reasons, fmt.Sprintf("bits of a float are taken apart at %s:%d", n.File, n.Line))
		}
	}
	const most = 3
	if len(reasons) > most {
		reasons = append(reasons[:most], "…")
	}
	if len(reasons) == 0 {
		return "a value leaves the range of float, or is undefined"
	}
	return strings.Join(reasons, ", ")
}

// exactValues are what one launch on an exact device gives.
func (t *CaseRun) exactValues(device metalrun.Runner) (map[*buffer][]exactValue, []metalrun.Note) {
	u := *t
	kernel, err := t.compiled(t.shaders, t.file, device)
	if err != nil {
		return nil, nil
	}
	u.kernel, u.exactNotes = kernel, nil
	before := t.Contents()
	defer t.Restore(before)
	for _, b := range t.buffers {
		if b != nil && b.arg.Writable() {
			b.exact = &metalrun.Exact{}
			defer func() { b.exact = nil }()
		}
	}
	if _, err := u.runLaunches(); err != nil {
		return nil, nil
	}
	values, orders := map[*buffer][]exactValue{}, t.orders()
	for i, b := range t.buffers {
		if b == nil || b.exact == nil {
			continue
		}
		if _, float := b.arg.Type.Format(); float || t.answers[b.arg.Name].Plain {
			known, parts := b.exactValues()
			values[b] = orders.back(i, known)
			if parts {
				u.exactNotes = append(u.exactNotes, metalrun.Note{Kind: metalrun.TakenApart})
			}
		}
	}
	return values, u.exactNotes
}

var floatFormats = map[oracles.Format]metalrun.FloatFormat{oracles.F32: metalrun.FormatFloat,
	oracles.F16: metalrun.FormatHalf, oracles.BF16: metalrun.FormatBfloat}

// exactValues are those of all elements. parts reports that some are parts of what the kernel stores, or made of
// several of them, and not alike on every device.
func (b *buffer) exactValues() (values []exactValue, parts bool) {
	values = make([]exactValue, b.count())
	format, float := b.arg.Type.Format()
	size := b.arg.Type.Bytes()
	for i := range values {
		x, e, written := b.exact.Element(Guard + i*size)
		switch {
		case !written || !b.exact.Integers:
		case float:
			x, e, written = b.exact.Float(Guard+i*size, size, floatFormats[format])
		default:
			x, e, written = b.exact.Integer(Guard+i*size, size)
		}
		if !written {
			x, e = b.value(i), 0
		}
		_, leaves := b.exact.Everywhere(Guard + i*size)
		values[i] = exactValue{x: x, e: e, made: !written && b.exact.Integers, leavesRange: leaves && !b.exact.Integers}
		parts = parts || written && b.exact.Integers && b.exact.Size() != size
	}
	return values, parts
}

// of is what is known of an output; nil for nothing.
func (r *exactRun) of(b *buffer, answer oracles.Answer) *exactOutput {
	if r == nil || r.values[b] == nil || answer.Exact || answer.BudgetOnly || answer.Integers {
		return nil
	}
	format, float := b.arg.Type.Format()
	o := &exactOutput{run: r, name: b.arg.Name, values: r.values[b], format: format,
		definitions: []oracles.Answer{answer}, unsettled: r.unsettled[b.arg.Name], costs: r.costs[b.arg.Name],
		inRange: r.inRange[b.arg.Name],
		rounded: rounds(answer, format), integers: !float}
	if ranked, ok := r.ranked[b.arg.Name]; ok && !float {
		o.ranked = ranked.Want
	}
	if second, ok := r.secondary[b.arg.Name]; ok {
		o.definitions = append(o.definitions, second)
	}
	return o
}

// What agrees asks of decisions that roundings or the digits of literals may take: to be the definition's, or not.
const (
	strictly  = true
	leniently = false
)

// agrees reports whether the formulas of all outputs are right.
func (r *exactRun) agrees(values map[*buffer][]exactValue, answers Answers, strict bool) bool {
	as := *r
	as.values, as.narrow, as.ranked, as.strict = values, false, nil, strict
	for b := range values {
		answer := answers[b.arg.Name]
		o := as.of(b, answer)
		if _, float := b.arg.Type.Format(); o == nil || !float {
			continue
		}
		for i := range o.values {
			if ratio, known := o.formula(i); known && ratio > 1 && !b.leaves(i) && !answer.Free(i) {
				return false
			}
		}
	}
	return true
}

// madeByRounding reports whether some element is.
func (r *exactRun) madeByRounding(answers Answers) bool {
	for b := range r.values {
		o := r.of(b, answers[b.arg.Name])
		for i := 0; o != nil && i < len(o.values); i++ {
			if o.madeByRounding(i) {
				return true
			}
		}
	}
	return false
}

// exactOutput is what is known of an output, and the definitions of which its formula has to be
// one.
type exactOutput struct {
	run         *exactRun
	name        string
	values      []exactValue
	definitions []oracles.Answer
	format      oracles.Format
	unsettled   []float64 // what float64 leaves of the definition; nil: not asked
	costs       []float64 // what evaluating the definition costs; nil: not asked
	inRange     []float64 // the same, where every device leaves the range of float; nil: not asked
	ranked      []float64 // what the definition gives where what float64 has 0 for keeps its order; nil: not asked
	rounded     bool      // the definition rounds to the format of the output
	integers    bool      // the output has integers
}

// rounds reports whether a plain definition's values are those of a format: it rounds its results itself. A definition
// without anything that rounds has such values by accident.
func rounds(definition oracles.Answer, format oracles.Format) bool {
	if !definition.Plain || definition.Unrounded {
		return false
	}
	for _, want := range definition.Want {
		if isFinite(want) && format.Round(want) != want {
			return false
		}
	}
	return true
}

// doubt is what float64 leaves open of the definition of element i.
func (o *exactOutput) doubt(i int) float64 {
	if o.unsettled == nil {
		return 0
	}
	return o.unsettled[i]
}

// formula is how far the exact value of element i is from the nearer definition, as a part of
// what it may be; known is false if there is nothing to compare.
func (o *exactOutput) formula(i int) (ratio float64, known bool) {
	if o.ranked != nil && o.ranked[i] != o.definitions[0].Want[i] {
		return 0, false // either will do, and the device's is held against both
	}
	if o.madeByRounding(i) {
		return 0, false
	}
	for _, definition := range o.definitions {
		if r, ok := o.from(i, definition); ok && (!known || r < ratio) {
			ratio, known = r, true
		}
	}
	return ratio, known
}

// from is the same for one definition.
func (o *exactOutput) from(i int, definition oracles.Answer) (ratio float64, known bool) {
	v, want, bound := o.values[i], definition.Want[i], definition.Bound(i)
	if !isFinite(v.x) || !isFinite(v.e) || !isFinite(want) || !isFinite(bound) {
		return 0, false
	}
	if v.made && o.format.Round(want) == v.x {
		return 0, true
	}
	limit := formulaPart * bound
	if definition.Stored != nil {
		limit = o.stored(i, *definition.Stored)
	} else if definition.Plain {
		limit = math.Max(formulaPart*v.e, formulaRelative*math.Abs(want))
	} else if bound == 0 {
		if o.format.Round(v.x) == want { // the definition rounds
			return 0, true
		}
		limit = formulaRelative * math.Abs(want)
	}
	limit = math.Max(limit, math.Max(definitionPart*math.Abs(want), o.doubt(i)+digitless(want))) + v.second
	if o.rounded && o.format.Round(v.x-limit) <= want && want <= o.format.Round(v.x+limit) {
		return 0, true
	}
	off := math.Abs(v.x - want)
	switch {
	case off == 0, o.roundsItself(v.x, want, limit):
		return 0, true
	case !o.run.strict && off > limit && off <= v.e*(1+float64Part) &&
		// the other integer may be that of exact arithmetic
		(o.run.tied || o.run.near != nil || o.run.literals && aStepApart(v, want)):
		return 0, false
	}
	return off / limit, true
}

// roundsItself reports whether an exact value is what the definition comes to when it is rounded to a narrow format, as
// a kernel does that rounds by operations on bits before it stores: the output has the same number either way.
func (o *exactOutput) roundsItself(x, want, limit float64) bool {
	round := o.format.Round
	return o.format != oracles.F32 && round(x) == x && round(want-limit) <= x && x <= round(want+limit)
}

// aStepApart reports whether a value and another are multiples of what they differ by, and literals move it by such
// steps or by none, and its error is such steps, as neighbours of a rounding to integers are: which of the two it is,
// the digits decide that a literal has no room for. A factor of 1.001 has multiples of a thousandth, too, but its
// errors are none.
func aStepApart(v exactValue, want float64) bool {
	step := math.Abs(v.x - want)
	return whole(want/step) && whole((v.x-v.inFormat)/step) && whole(v.e/step)
}

// whole reports whether a number is an integer but for what float64 may have lost.
func whole(x float64) bool { return math.Abs(x-math.Round(x)) <= stepPart }

const stepPart = 0x1p-10

// madeByRounding reports whether element i is what roundings make of an exact value that is another: the definition's
// values are numbers of f32, as those of a compensated sum, of a magic number or of f32(…) are, and no formula is
// right. A device has that number or it is wrong. What another implementation has stored is rounded by that one.
func (o *exactOutput) madeByRounding(i int) bool {
	v, want := o.values[i], o.definitions[0].Want[i]
	if !o.rounded || o.definitions[0].Stored != nil || o.format != oracles.F32 || !v.known() || v.e == 0 ||
		!isFinite(want) {
		return false
	}
	off, least := math.Abs(v.x-want), float64(formulaRelative*math.Abs(want))+o.doubt(i)+digitless(want)
	return off > least && off <= v.e*(1+float64Part) && o.format.Round(v.x) != want
}

// bound is how far element i of a plain answer may be from want; +Inf where nothing is known. A
// NaN or an infinity that every device has is either wanted or wrong.
func (o *exactOutput) bound(i int) float64 {
	v := o.values[i]
	switch {
	case !isFinite(v.x) && v.e == 0, o.mustStay(i):
		return 0
	case !isFinite(v.x) || !isFinite(v.e):
		return o.cost(i)
	}
	e := v.e + o.doubt(i) + float64(float64Part*(math.Abs(v.x)+v.e))
	for _, definition := range o.definitions {
		e += digitless(definition.Want[i])
	}
	roundings := 0 // of the value, and of want
	if o.format != oracles.F32 {
		roundings++
	}
	if o.rounded && o.format != oracles.F32 {
		roundings++
	}
	for range roundings {
		e += math.Max(o.format.UnitRoundoff()*(math.Abs(v.x)+e), o.format.SmallestSubnormal()/2)
	}
	return e
}

// cost is how far an element may be from want of which nothing is known; +Inf where the definition has no cost.
func (o *exactOutput) cost(i int) float64 {
	if o.costs == nil {
		return math.Inf(1)
	}
	return o.costs[i] + o.format.SmallestSubnormal()/o.format.UnitRoundoff() // subnormals may be flushed
}

// overflows reports whether an element is not finite of which nothing is known: it may be so on some device.
func (o *exactOutput) overflows(i int, got float64) bool {
	return o != nil && !isFinite(got) && o.values[i].open() && !o.mustStay(i)
}

// mustStay reports whether every device leaves the range of float on the way to an element, and a straightforward
// evaluation of the definition does not: then the element is wrong, as infinite or NaN as it is.
func (o *exactOutput) mustStay(i int) bool {
	return o.inRange != nil && o.values[i].leavesRange && isFinite(o.inRange[i])
}

// held reports whether nothing is known of an element but what its definition costs.
func (o *exactOutput) held(i int) bool {
	return o != nil && o.costs != nil && o.values[i].open() && isFinite(o.costs[i])
}

// stored is how far a value may be from the exact one that another implementation of the same
// formula computed and stored in a format: what any device may be off by, the rounding of a last
// operation that this kernel may not have, and that to the format.
func (o *exactOutput) stored(i int, format oracles.Format) float64 {
	v := o.values[i]
	e := v.e + float64(float64Part*(math.Abs(v.x)+v.e))
	return e + math.Max(2*format.UnitRoundoff()*(math.Abs(v.x)+e), format.SmallestSubnormal())
}

// plainly makes a plain answer one that is judged: integers are exact, and floats need what
// exact execution knows.
func (o *output) plainly() error {
	if !o.answer.Plain {
		return nil
	}
	if _, float := o.arg.Type.Format(); !float {
		o.answer.Exact = true
		return nil
	}
	if o.exact == nil {
		return fmt.Errorf("the oracle of %s gives values without a budget: exact execution has to bound its errors "+
			"(-exact)", o.arg.Name)
	}
	bounds := make([]float64, len(o.answer.Want))
	for i := range bounds {
		if !o.exact.madeByRounding(i) {
			bounds[i] = o.exact.bound(i)
		}
	}
	o.answer.Budget = o.exact.budget(bounds)
	if format := o.answer.Stored; format != nil {
		others := make([]float64, len(bounds))
		for i := range others {
			if others[i] = bounds[i]; isFinite(bounds[i]) && bounds[i] > 0 {
				others[i] = o.exact.stored(i, *format)
			}
		}
		o.answer.Budget = append(o.answer.Budget, oracles.Term{Label: "the recorded value", Error: others})
	}
	return nil
}

// undecided reports whether an integer is one that some device has where the definition's is another: a decision that
// devices take otherwise leads to it, such as which of two numbers that may count as zero is the larger. The definition
// has to be exact arithmetic's; of a number rounded just between two integers either will do, and of subnormal inputs
// whichever a device may have, since their order decides what is compared next. Any will where nothing is known of it
// since values count as zero on some devices: a quotient by one is anything there. Of numbers for which float64 has 0
// the largest may be the first or the largest. Where inputs were led to decisions, what rounding takes may be what the
// definition has beside them.
func (o *exactOutput) undecided(i int, got, want float64) bool {
	if o == nil {
		return false
	}
	if o.ranked != nil && got == o.ranked[i] {
		return true
	}
	v := o.values[i]
	if !v.known() {
		return len(o.run.underflow) > 0 || o.run.subnormal || o.beside(i, got)
	}
	either := o.run.subnormal || o.run.near != nil || v.e == 1
	return v.e > 0 && math.Abs(got-v.x) <= v.e && (want == v.x || either && math.Abs(want-v.x) <= v.e)
}

// beside reports whether the definition has a value for element i near the inputs.
func (o *exactOutput) beside(i int, got float64) bool {
	if slices.ContainsFunc(o.run.near, func(a Answers) bool { return a[o.name].Want[i] == got }) {
		return true
	}
	return len(o.run.near) > 0 && o.integers && slices.ContainsFunc(fieldWidths, func(width int) bool {
		return o.packedBeside(i, got, width)
	})
}

// fieldWidths are the bits of fields that words are packed of.
var fieldWidths = []int{2, 3, 4, 5, 6, 8, 10, 11, 16}

// packedBeside reports whether each field of an integer is one that the definition has for element i, with the inputs
// or near them: fields are decided by themselves.
func (o *exactOutput) packedBeside(i int, got float64, width int) bool {
	word, mask := integerWord(got), uint64(1)<<width-1
	for at := 0; at < 64; at += width {
		field := func(x float64) bool { return (integerWord(x)^word)>>at&mask == 0 }
		if !field(o.definitions[0].Want[i]) &&
			!slices.ContainsFunc(o.run.near, func(a Answers) bool { return field(a[o.name].Want[i]) }) {
			return false
		}
	}
	return true
}

// mayBeBeside reports whether element i is what the definition has near the inputs, where roundings or digits of
// literals decide.
func (o *exactOutput) mayBeBeside(i int, got, want float64) bool {
	if o == nil || o.run.near == nil || got == want {
		return false
	}
	v := o.values[i]
	return (!v.known() || v.e > 0 || o.run.literals) && o.beside(i, got)
}

// budget is what is known of the errors of all elements: bounds, and what is only likely.
func (o *exactOutput) budget(of []float64) []oracles.Term {
	kinds := map[string][]float64{labelBounded: make([]float64, len(of))}
	for i := range of {
		label := labelBounded
		switch {
		case o.values[i].drawn:
			label = labelSampled
		case o.values[i].open() && isFinite(of[i]):
			label = labelCost
		}
		if kinds[label] == nil {
			kinds[label] = make([]float64, len(of))
		}
		kinds[label][i] = of[i]
	}
	var terms []oracles.Term
	for _, label := range []string{labelBounded, labelSampled, labelCost} {
		if kinds[label] != nil {
			terms = append(terms, oracles.Term{Label: label, Error: kinds[label]})
		}
	}
	return terms
}

// float64Part is what float64 may have lost of an exact value and of its bound.
const float64Part = 0x1p-31

// rounding is how far a value of element i is from the exact one, as a part of what it may be. A
// narrow format is rounded to once more, from wherever the value may have been.
func (o *exactOutput) rounding(i int, got float64) float64 {
	v, format := o.values[i], o.format
	e := v.e + float64(float64Part*(math.Abs(v.x)+v.e))
	switch off := math.Abs(got - v.x); {
	case off == 0:
		return 0
	case format == oracles.F32:
		return off / e
	case format.Round(v.x-e) <= got && got <= format.Round(v.x+e):
		return min(1, off/(e+float64(format.UnitRoundoff()*(math.Abs(v.x)+e))+format.SmallestSubnormal()))
	default:
		return math.Max(off/e, 1+0x1p-20)
	}
}

// askExactly asks the two questions of an element that the contract bounds.
func (o *output) askExactly(i int, got, want, bound float64) {
	if o.exact == nil || !isFinite(want) || !isFinite(got) || !isFinite(bound) {
		return
	}
	ratio, known := o.exact.formula(i)
	if !known {
		o.meter.Unknown++
		return
	}
	if bound > 0 {
		o.meter.AnyDevice.Note(i, o.exact.values[i].e/bound)
	}
	if o.meter.Formula.Note(i, ratio); !(ratio <= 1) {
		o.note(byFormula, i, ratio)
	}
	ratio = o.exact.rounding(i, got)
	if o.meter.Rounding.Note(i, ratio); !(ratio <= 1) {
		o.note(byRounding, i, ratio)
	}
}
