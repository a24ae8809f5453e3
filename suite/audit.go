package suite

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"metalconform/oracles"
)

// The judge is judged: an oracle computes in float64, and a verdict is worth
// nothing where what that loses is not far below the bound.

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

// ExactReference gives the exact values of a kernel's outputs, by argument name: the
// definition of its oracle in 256 bits.
type ExactReference func(*Problem) map[string]oracles.Reference

// unresolved says that float64 is too coarse for the bound of element i, nil if
// it is not. It is a condition that every oracle must meet, and costs next to
// nothing: a want has been rounded to float64, so that it is uncertain by
// 2⁻⁵³|want| at least, unless it is a number of the output's type. With a bound
// of 0, which is the claim that there is no other right answer, it therefore has
// to be one.
//
// What an oracle loses on its way to want, the condition does not see: that is
// 2⁻²⁹·n of the bound at most where the budget charges each of n terms with a
// rounding of its own, and for [Audit] to find out elsewhere.
func (o *output) unresolved(i int, want, bound float64) error {
	bound = max(bound, o.step(want))
	if o.answer.Exact || !isFinite(want) || !(bound*allowance < 0x1p-53*math.Abs(want)) {
		return nil
	}
	if want == o.arg.Type.round(want) {
		return nil
	}
	return fmt.Errorf("the oracle is not exact enough for %s: want = %.17g is not a number of %s, and its bound of %.3g is below what float64 resolves",
		Element{Arg: o.arg.Name, Index: o.arg.index(o.shape, i)}, want, o.arg.Type, bound)
}

// Audited is the element of an output at which its oracle fared worst, of those
// that were compared with the exact value.
type Audited struct {
	Stage   string // of a pipeline: the invariant
	Output  string
	Index   []int
	Want    float64
	Exact   string  // to 20 digits
	Bound   float64 // the one that gates
	Ratio   float64 // of |want − exact| to the bound; +Inf where only one of them is finite
	Sampled int     // elements that were compared
}

// Err refuses a verdict that an oracle is not exact enough for. nil if it is.
func (a Audited) Err() error {
	if a.Ratio <= allowance {
		return nil
	}
	return fmt.Errorf("the oracle is not exact enough for %s: want = %.17g, exactly %s: %.3g of its bound of %.3g, at most %g is allowed",
		Element{a.Stage, a.Output, a.Index}, a.Want, a.Exact, a.Ratio, a.Bound, allowance)
}

// Audit compares the answers of the case's oracle with exact values, at a few
// elements of each output: the one with the tightest bound, the first that is
// not finite, and as many more, drawn at random. A nil reference will do where all
// answers are compared bit for bit. Audit launches nothing; the shaders hold the
// tables that the oracle reads.
func Audit(s *Shaders, c Case, seed uint64, reference ExactReference, samples int) ([]Audited, error) {
	t, err := asked(s, c, seed)
	if err != nil {
		return nil, err
	}
	return t.audit(reference, samples)
}

// Ask is what the oracle says of a case, by argument name. It launches nothing.
func Ask(s *Shaders, c Case, seed uint64) (Answers, error) {
	t, err := asked(s, c, seed)
	if err != nil {
		return nil, err
	}
	return t.answers, nil
}

// asked is a run of the case that has its answers, and no kernel to run.
func asked(s *Shaders, c Case, seed uint64) (*caseRun, error) {
	t := &caseRun{Case: c, seed: seed}
	if err := t.allocate(); err != nil {
		return nil, err
	}
	if tables := c.tables(); len(tables) > 0 {
		file, _, err := s.Find(c.Kernel.Name)
		if err != nil {
			return nil, err
		}
		found, wrong, err := s.tables(file, tables)
		if err != nil || len(wrong) > 0 {
			return nil, fmt.Errorf("%w%s", err, strings.Join(wrong, "; "))
		}
		t.tables = found
	}
	t.answers = t.Kernel.Oracle(t.problem())
	return t, nil
}

// audit compares the answers that the case has with exact values, before its
// first launch. The error is an output that has none though its oracle rounds.
func (t *caseRun) audit(reference ExactReference, samples int) ([]Audited, error) {
	var exact map[string]oracles.Reference
	if reference != nil {
		exact = reference(t.problem())
	}
	var list []Audited
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() || t.answers[b.arg.Name].Exact {
			continue
		}
		if exact[b.arg.Name] == nil {
			return nil, fmt.Errorf("no exact values are known of %s", b.arg.Name)
		}
		o := output{buffer: b, shape: t.Shape, answer: t.answers[b.arg.Name], random: t.Input.Random}
		r := Generator(t.Name, b.arg.Name+":audit", t.seed)
		list = append(list, o.audit(exact[b.arg.Name], o.picks(r, samples)))
	}
	return list, nil
}

// picks are the elements at which to audit an output, of those that it has to
// be written.
func (o *output) picks(r *rand.Rand, samples int) []int {
	var judged []int
	tightest, nonFinite, least := -1, -1, math.Inf(1)
	skip := o.ranges
	for i, want := range o.answer.Want {
		if len(skip) > 0 && i >= skip[0].First {
			if i == skip[0].End-1 {
				skip = skip[1:]
			}
			continue
		}
		bound := o.gate(i)
		if math.IsInf(bound, 1) {
			continue
		}
		judged = append(judged, i)
		switch relative := bound / math.Abs(want); {
		case !isFinite(want):
			if nonFinite < 0 {
				nonFinite = i
			}
		case bound > 0 && relative < least:
			tightest, least = i, relative
		}
	}
	var picked []int
	for _, i := range []int{tightest, nonFinite} {
		if i >= 0 {
			picked = append(picked, i)
		}
	}
	for range min(samples, len(judged)) {
		picked = append(picked, judged[r.IntN(len(judged))])
	}
	return picked
}

// gate is the bound that decides on element i.
func (o *output) gate(i int) float64 {
	if s, ok := o.answer.Statistical(i); ok && o.random {
		return s
	}
	return o.answer.Bound(i)
}

// audit is the worst of the elements.
func (o *output) audit(exact oracles.Reference, elements []int) Audited {
	worst := Audited{Output: o.arg.Name, Ratio: math.Inf(-1), Sampled: len(elements)}
	for _, i := range elements {
		value := valueOf(exact, i)
		want := o.answer.Want[i]
		bound := max(o.gate(i), o.step(want))
		ratio := uncertainty(want, bound, value)
		if ratio <= worst.Ratio {
			continue
		}
		worst.Index, worst.Want, worst.Bound, worst.Ratio = o.arg.index(o.shape, i), want, bound, ratio
		worst.Exact = "NaN"
		if value != nil {
			worst.Exact = value.Text('g', 20)
		}
	}
	worst.Ratio = max(worst.Ratio, 0)
	return worst
}

// valueOf is the exact value of element i, nil for NaN.
func valueOf(exact oracles.Reference, i int) (value *big.Float) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case big.ErrNaN:
			value = nil
		default:
			panic(p)
		}
	}()
	return exact(i)
}

// uncertainty is |want − exact| as a fraction of the bound. nil is an exact
// value of NaN.
func uncertainty(want, bound float64, exact *big.Float) float64 {
	finite := exact != nil && !exact.IsInf()
	switch {
	case finite && isFinite(want):
		w := new(big.Float).SetPrec(exact.Prec()).SetFloat64(want)
		difference, _ := w.Sub(w, exact).Float64()
		if difference == 0 {
			return 0
		}
		return math.Abs(difference) / bound
	case finite || isFinite(want):
		return math.Inf(1)
	case math.IsNaN(bound), exact == nil && math.IsNaN(want):
		return 0
	case exact != nil && math.IsInf(want, exact.Sign()):
		return 0
	}
	return math.Inf(1)
}
