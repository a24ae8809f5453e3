package suite

import (
	"math"

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
// Elements of which nothing is known are open: they depend on a decision that another device
// may take otherwise, on an overflow, or on bits of a float taken apart.
type Exact struct {
	// Errors takes every rounding for an error. Definitions takes those of values that
	// are read back from a narrow format for part of the definition: see
	// [Kernel.Rounds].
	Errors, Definitions metalrun.Runner
}

// formulaPart is the part of its bound that an element's formula may be off by, and
// formulaRelative the part of the exact value where the bound is 0: float64 gives both
// sides to 10 digits of the bound.
const (
	formulaPart     = 0x1p-20
	formulaRelative = 1e-12
)

// exactValue is what is known of an element.
type exactValue struct{ x, e float64 }

// exactRun launches the case on the exact device from the contents of its buffers, which it
// leaves as they are, and keeps what comes out for the floating outputs. A launch that ends
// in an error says nothing: that on the device of the run will.
func (t *caseRun) exactRun() {
	if t.exact == nil {
		return
	}
	u := *t
	u.runner = t.exact.Errors
	if t.Kernel.Rounds {
		u.runner = t.exact.Definitions
	}
	kernel, err := t.compiled(t.shaders, t.file, u.runner)
	if err != nil {
		return
	}
	u.kernel, u.findings = kernel, nil
	before := t.contents()
	defer t.restore(before)
	t.exacts = map[*buffer][]exactValue{}
	for _, b := range t.buffers {
		if b != nil && b.arg.Writable() {
			b.exact = &metalrun.Exact{}
			defer func() { b.exact = nil }()
		}
	}
	if _, err := u.launch(); err != nil {
		t.exacts = nil
		return
	}
	for _, b := range t.buffers {
		if b == nil || b.exact == nil {
			continue
		}
		if _, float := b.arg.Type.Format(); float {
			t.exacts[b] = b.exactValues()
		}
	}
}

// exactValues are those of all elements.
func (b *buffer) exactValues() []exactValue {
	values := make([]exactValue, b.count())
	for i := range values {
		x, e, written := b.exact.Element(guard + i*b.arg.Type.Bytes())
		if !written {
			x, e = b.value(i), 0
		}
		values[i] = exactValue{x, e}
	}
	return values
}

// exactly asks the two questions of an element that the contract bounds.
func (o *output) exactly(i int, got, want, bound float64) {
	if o.exacts == nil || o.answer.Exact || !isFinite(want) || !isFinite(got) || !isFinite(bound) {
		return
	}
	v := o.exacts[i]
	if !isFinite(v.x) || !isFinite(v.e) {
		o.meter.Unknown++
		return
	}
	limit := formulaPart * bound
	if bound == 0 {
		limit = formulaRelative * math.Abs(want)
	}
	if bound > 0 {
		o.meter.Sharpness.Note(i, v.e/bound)
	}
	if off := math.Abs(v.x - want); off > 0 {
		o.meter.Formula.Note(i, off/limit)
		if !(off <= limit) {
			o.tallies[byFormula].note(i, off/limit)
		}
	}
	if ratio := o.rounding(v, got); ratio > 0 {
		o.meter.Rounding.Note(i, ratio)
		if !(ratio <= 1) {
			o.tallies[byRounding].note(i, ratio)
		}
	}
}

// float64Part is what float64 may have lost of an exact value and of its bound.
const float64Part = 0x1p-31

// rounding is how far a value is from the exact one, as a part of what it may be. A narrow
// format is rounded to once more, from wherever the value may have been.
func (o *output) rounding(v exactValue, got float64) float64 {
	e := v.e + float64(float64Part*(math.Abs(v.x)+v.e))
	format, _ := o.arg.Type.Format()
	if format != oracles.F32 {
		if low, high := format.Round(v.x-e), format.Round(v.x+e); low <= got && got <= high {
			return min(1, math.Abs(got-v.x)/(e+format.UnitRoundoff()*(math.Abs(v.x)+e)+format.SmallestSubnormal()))
		}
		return math.Max(math.Abs(got-v.x)/e, 1+1e-9)
	}
	if got == v.x {
		return 0
	}
	return math.Abs(got-v.x) / e
}
