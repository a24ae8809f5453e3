package kerneltest

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite"
)

// An oracle computes in float64, and a verdict is worth nothing where what that
// loses is not far below the bound.

// allowance is the part of an element's bound that the uncertainty of the oracle's
// want may come to.
const allowance = 0.1

// Reference gives the exact values of a kernel's outputs, by argument name: the
// definition of its oracle in 256 bits.
type Reference func(*suite.Problem) map[string]oracles.Reference

// Audited is the element of an output at which its oracle fared worst, of those
// that were compared with the exact value.
type Audited struct {
	Output  string
	Element int
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
	return fmt.Errorf("the oracle is not exact enough for %s, element %d: want = %.17g, exactly %s: %.3g of its "+
		"bound of %.3g, at most %g is allowed",
		a.Output, a.Element, a.Want, a.Exact, a.Ratio, a.Bound, allowance)
}

// Audit compares the answers with exact values, at a few elements of each output:
// the one with the tightest bound, the first that is not finite, and as many more,
// drawn at random. A nil reference will do where all answers are compared bit for
// bit. The error is an output without exact values whose oracle rounds.
func (a Asked) Audit(reference Reference, samples int) ([]Audited, error) {
	var exact map[string]oracles.Reference
	if reference != nil {
		exact = reference(a.Problem)
	}
	var list []Audited
	for _, arg := range a.Kernel.Args {
		if !arg.Writable() || a.Answers[arg.Name].Exact {
			continue
		}
		if exact[arg.Name] == nil {
			return nil, fmt.Errorf("no exact values are known of %s", arg.Name)
		}
		o := output{format: formatOf(arg.Type), answer: a.Answers[arg.Name], random: a.Input.Random}
		if arg.Untouched != nil {
			o.kept = arg.Untouched(a.Shape)
		}
		r := suite.Generator(a.Name, arg.Name+":audit", a.Seed)
		audited := o.audit(exact[arg.Name], o.picks(r, samples))
		audited.Output = arg.Name
		list = append(list, audited)
	}
	return list, nil
}

// AuditPipeline runs a case of a pipeline and compares its definitions, the float64
// passes from end to end, with exact values, at the elements of each that
// [Asked.Audit] takes of an output. The oracles of the stages are those of their
// kernels, which have references of their own. A case that does not pass is an
// error.
func AuditPipeline(runner metalrun.Runner, opts suite.Options, c suite.Case, samples int) ([]Audited, error) {
	var list []Audited
	p := *c.Pipeline
	p.Audit = func(d suite.Definition) {
		o := output{format: formatOf(d.Type), answer: d.Want}
		audited := o.audit(d.Exact, o.picks(suite.Generator(c.Name, d.Invariant+":audit", opts.Seed), samples))
		audited.Output = d.Invariant + ": " + d.Buffer
		list = append(list, audited)
	}
	c.Pipeline = &p
	var result suite.Result
	if err := suite.Run(context.Background(), runner, opts, []suite.Case{c},
		func(r suite.Result) { result = r }); err != nil {
		return nil, err
	}
	if result.Status != suite.Pass {
		return nil, fmt.Errorf("%s: %s", result.Status, result.Text())
	}
	return list, nil
}

// output is what is to be audited: a kernel's, or a buffer of a pipeline.
type output struct {
	format oracles.Format // f32 for integers
	answer oracles.Answer
	kept   []suite.Range // elements that no launch may change
	random bool          // the inputs are, so that the statistical bound gates
}

func formatOf(t suite.Type) oracles.Format {
	if f, ok := t.Format(); ok {
		return f
	}
	return oracles.F32
}

// picks are the elements at which to audit an output, of those that it has to be
// written.
func (o output) picks(r *rand.Rand, samples int) []int {
	var judged []int
	tightest, nonFinite, least := -1, -1, math.Inf(1)
	kept := make([]bool, len(o.answer.Want))
	for _, k := range o.kept {
		for i := k.First; i < k.End; i++ {
			kept[i] = true
		}
	}
	for i, want := range o.answer.Want {
		bound := o.gate(i)
		if kept[i] || math.IsInf(bound, 1) {
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
func (o output) gate(i int) float64 {
	if s, ok := o.answer.Statistical(i); ok && o.random {
		return s
	}
	return o.answer.Bound(i)
}

// step is half the distance of the numbers round want that an output narrower than
// the arithmetic can hold, and 0 for the others. The bound of such an output is that
// of its last rounding too, from a want that has not been rounded: the closer want
// is to a number, the smaller, and yet nothing but that number is right.
func (o output) step(want float64) float64 {
	if o.format != oracles.F32 && isFinite(want) {
		return o.format.Ulp(want) / 2
	}
	return 0
}

// audit is the worst of the elements.
func (o output) audit(exact oracles.Reference, elements []int) Audited {
	worst := Audited{Ratio: math.Inf(-1), Sampled: len(elements)}
	for _, i := range elements {
		value := valueOf(exact, i)
		want := o.answer.Want[i]
		bound := max(o.gate(i), o.step(want))
		ratio := uncertainty(want, bound, value)
		if ratio <= worst.Ratio {
			continue
		}
		worst.Element, worst.Want, worst.Bound, worst.Ratio = i, want, bound, ratio
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

// uncertainty is |want − exact| as a fraction of the bound. nil is an exact value
// of NaN.
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

// isFinite reports whether x is neither NaN nor infinite: Inf − Inf is NaN.
func isFinite(x float64) bool { return x-x == 0 }
