package suite

import (
	"fmt"
	"math"
	"slices"

	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// Account is how one element of an output came to its verdict.
type Account struct {
	Output string    `json:"output"`
	Type   string    `json:"type"`
	Index  []int     `json:"index"`
	Number int       `json:"number"` // of the element, counted through all extents
	Reads  []Summary `json:"reads,omitempty"`

	Want    Value `json:"want"` // exact
	Rounded Word  `json:"rounded"`
	Got     Word  `json:"got"`

	Deviation
	Bound       Bound             `json:"bound"`                 // rigorous; its terms only where it decides
	Rule        ElementRule       `json:"rule,omitempty"`        // what conforms, where it is no matter of a bound
	Same        *Element          `json:"same,omitempty"`        // of the rule bits: the one whose bits it must have
	Statistical *StatisticalBound `json:"statistical,omitempty"` // nil where none was derived
	Sums        []Sums            `json:"sums,omitempty"`        // that the bound rests on, where it is finite

	Exactly    *ExactAccount `json:"exactly,omitempty"`    // what exact execution knows
	Neighbours []Neighbour   `json:"neighbours,omitempty"` // of want in the output's format, below and above

	Conforms bool  `json:"conforms"`
	Check    Check `json:"check,omitempty"` // that it fails
}

// ExactAccount is what exact execution knows of an element.
type ExactAccount struct {
	Value    Value   `json:"value"`    // what the same instructions give in exact arithmetic
	Error    Value   `json:"error"`    // that any device may have, before it rounds to the output's format
	Formula  float64 `json:"formula"`  // how far the value is from the definition, as a part of what it may be
	Rounding float64 `json:"rounding"` // how far got is from it, as a part of what any device may be
}

// Deviation is how far a value is from want.
type Deviation struct {
	Error      float64 `json:"error"`       // value − want
	Ulp        float64 `json:"ulp"`         // the same in units in the last place at want
	ErrorRatio float64 `json:"error_ratio"` // |value − want| as a fraction of the rigorous bound
}

// Word is a value with its bits.
type Word struct {
	Value Value  `json:"value"`
	Bits  string `json:"bits"`
}

// ElementRule is what conforms where the bound of an element is no positive number.
type ElementRule string

// Rules of an element.
const (
	RuleExact     ElementRule = "exact"     // want in the output's format, bit for bit
	RuleWant      ElementRule = "want"      // want itself
	RuleNonFinite ElementRule = "nonfinite" // NaN or an infinity: which of them depends on an order that the contract leaves open
	RuleAnything  ElementRule = "anything"  // the contract promises nothing for the element
	RuleBits      ElementRule = "bits"      // the bits of an element of another buffer
)

// StatisticalBound is the statistical bound of an element: the sharper of its terms'
// sum and the rigorous one.
type StatisticalBound struct {
	Bound
	ErrorRatio float64 `json:"error_ratio"` // |got − want| over the bound
	Gates      bool    `json:"gates"`       // the inputs are random
}

// Neighbour is a number of the output's format next to want, and what its error
// would be.
type Neighbour struct {
	Word
	Deviation
}

// Account judges one element by itself.
func (t *CaseRun) Account(name string, index []int) (Account, error) {
	i := slices.IndexFunc(t.buffers, func(b *buffer) bool { return b != nil && b.arg.Name == name })
	o := output{buffer: t.buffers[i], shape: t.Shape, answer: t.answers[name], exact: t.exacts.of(t.buffers[i], t.answers[name]), random: t.Input.Random, ranged: t.ranged()}
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
		Want: Value(want), Got: o.arg.Type.spell(got), Bound: Bound{Value: Figure(bound)}, Rule: o.rule(want, bound), Conforms: true,
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
func (o output) rule(want, bound float64) ElementRule {
	switch {
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
