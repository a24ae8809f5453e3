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

	Want    string `json:"want"` // exact, as a float64
	Rounded Word   `json:"rounded"`
	Got     Word   `json:"got"`

	Deviation
	Bound float64 `json:"bound"`           // rigorous
	Rule  string  `json:"rule,omitempty"`  // what conforms, where it is no matter of a bound
	Terms []Share `json:"terms,omitempty"` // of the bound
	Sums  []Sums  `json:"sums,omitempty"`  // that the bound rests on, where it is finite
	Sharp *Sharp  `json:"sharp,omitempty"` // the statistical bound; nil where none was derived

	Neighbours []Neighbour `json:"neighbours,omitempty"` // of want in the output's format, below and above

	Conforms bool  `json:"conforms"`
	Check    Check `json:"check,omitempty"` // that it fails
}

// Deviation is how far a value is from want.
type Deviation struct {
	Error      float64 `json:"error"` // value − want
	Ulp        float64 `json:"ulp"`   // the same in units in the last place at want
	ErrorRatio float64 `json:"over"`  // |value − want| as a fraction of the rigorous bound
}

// Word is a value with its bits.
type Word struct {
	Value string `json:"value"`
	Bits  string `json:"bits"`
}

// Share is one term of a bound.
type Share struct {
	Label string  `json:"label"`
	Error float64 `json:"error"`
	Share float64 `json:"share"` // of the bound
}

// Sharp is the statistical bound of an element.
type Sharp struct {
	Bound      float64 `json:"bound"`
	Sigma      float64 `json:"sigma"`      // standard deviation of what roundings add up to
	Systematic float64 `json:"systematic"` // bound on the rest
	ErrorRatio float64 `json:"over"`       // |got − want| over the bound
	Gates      bool    `json:"gates"`      // the inputs are random
}

// Neighbour is a number of the output's format next to want, and what its error
// would be.
type Neighbour struct {
	Word
	Deviation
}

// account judges one element by itself.
func (t *caseRun) account(name string, index []int) (Account, error) {
	i := slices.IndexFunc(t.buffers, func(b *buffer) bool { return b != nil && b.arg.Name == name })
	o := output{buffer: t.buffers[i], shape: t.Shape, answer: t.answers[name], random: t.Input.Random}
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
		Want: fmt.Sprintf("%.17g", want), Got: o.arg.Type.spell(got), Bound: figure(bound), Rule: o.rule(want, bound), Conforms: true,
	}
	a.Got.Bits = o.arg.Type.bits(o.arg.Type.word(o.payload(), n))
	a.Rounded = o.arg.Type.spell(want)
	for _, f := range o.failures(1) {
		a.Conforms, a.Check = false, f.Check
	}
	a.measure(o, n, got, want, bound)
	return a, nil
}

// rule says what conforms where the bound of an element is no positive number.
func (o output) rule(want, bound float64) string {
	switch {
	case o.answer.Exact:
		return "want in the output's format, bit for bit"
	case math.IsInf(bound, 1):
		return "anything: the contract promises nothing for this element"
	case math.IsNaN(bound):
		return "NaN or an infinity: which of them depends on an order that the contract leaves open"
	case !isFinite(want), bound == 0:
		return "want itself"
	}
	return ""
}

// measure enters the error and the bounds of an element.
func (a *Account) measure(o output, n int, got, want, bound float64) {
	a.Deviation = o.arg.Type.deviation(got, want, bound)
	if a.Rule == "" {
		for _, term := range o.answer.Budget {
			a.Terms = append(a.Terms, Share{term.Label, term.Error[n], term.Error[n] / bound})
		}
	}
	if sharp, ok := o.answer.Statistical(n); ok && a.Rule == "" {
		over := o.arg.Type.deviation(got, want, sharp).ErrorRatio
		a.Sharp = &Sharp{figure(sharp), figure(o.answer.Sigma[n]), figure(o.answer.Systematic[n]), over, o.random}
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
	w := t.word(t.append(nil, x), 0)
	return Word{t.number(t.value(w)), t.bits(w)}
}

// number spells a value of the type so that no other one reads the same.
func (t Type) number(x float64) string {
	if _, float := t.Format(); !float {
		return fmt.Sprintf("%.0f", x)
	}
	return number(x)
}

// bits spells a word in all its digits.
func (t Type) bits(w uint32) string { return fmt.Sprintf("0x%0*x", 2*t.Bytes(), w) }

// deviation is how far got is from want: not at all where both are NaN.
func (t Type) deviation(got, want, bound float64) Deviation {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return Deviation{}
	}
	d := Deviation{Error: got - want, Ulp: got - want, ErrorRatio: math.Abs(got-want) / bound}
	if format, float := t.Format(); float {
		d.Ulp = format.UlpError(got, want)
	}
	return Deviation{figure(d.Error), figure(d.Ulp), figure(d.ErrorRatio)}
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
