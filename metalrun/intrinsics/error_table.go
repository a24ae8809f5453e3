package intrinsics

import (
	"math"
	"strconv"
	"strings"

	"metalconform/metalrun/internal/scalar"
)

// Domain is what was measured where the first argument has a sign and some magnitude.
type Domain struct {
	Name      string `json:"domain"`
	Arguments int    `json:"arguments"`
	Worst     *Error `json:"worst,omitempty"`   // the largest error in ulp
	Closest   *Error `json:"closest,omitempty"` // the one that comes closest to its limit, or is farthest beyond
	// Open counts results of which nothing is promised.
	Open int `json:"open,omitempty"`
}

// Error is a result and how far it is off.
type Error struct {
	Bits  []uint32 `json:"bits"` // of the arguments
	Got   uint32   `json:"got"`  // bits
	Ulps  float64  `json:"ulps"`
	Limit float64  `json:"limit,omitempty"` // in ulp of the exact value; 0: nothing is promised
}

// ends are those of the magnitudes of domains.
var ends = []struct {
	name string
	end  float64
}{
	{"subnormal or 0", 0x1p-126}, {"< 2^-24", 0x1p-24}, {"< 0.5", 0.5}, {"< 2", 2}, {"< 128", 128}, {"< 2^24", 0x1p24},
	{"< 2^128", 0x1p128}, {"infinite or NaN", math.Inf(1)},
}

// errorTable is what was measured, by sign and magnitude.
type errorTable [2][8]Domain

// never is more than any number of ulp: an infinity or a NaN in place of a number, or the
// reverse.
const never = math.MaxFloat64

// slack is what the exact value may be off by, as a share of a limit.
const slack = 0x1p-16

// add judges one result.
func (f Function) add(t *errorTable, x, y, got float32) {
	d := t.domain(x)
	d.Arguments++
	if f.pairs && !f.defined(x, y) {
		d.Open++
		return
	}
	exact := f.value(float64(x), float64(y))
	limit, promised := f.promise(x, y, exact)
	ulps := miss(exact, got, limit)
	if subnormal(x) { // may count as zero
		ulps = min(ulps, miss(f.value(math.Copysign(0, float64(x)), float64(y)), got, limit))
	}
	if f.pairs && subnormal(y) {
		ulps = min(ulps, miss(f.value(float64(x), math.Copysign(0, float64(y))), got, limit))
	}
	if subnormal(x) && f.limit.Undefined != nil && f.limit.Undefined(0, y) {
		promised = false
	}
	if !promised {
		d.Open++
		limit = 0
	}
	e := Error{Bits: []uint32{math.Float32bits(x)}, Got: math.Float32bits(got), Ulps: ulps, Limit: limit}
	if f.pairs {
		e.Bits = append(e.Bits, math.Float32bits(y))
	}
	if ulps < never && (d.Worst == nil || ulps > d.Worst.Ulps) {
		d.Worst = &e
	}
	if promised && (d.Closest == nil || e.Ratio() > d.Closest.Ratio()) {
		d.Closest = &e
	}
}

// defined leaves out pairs whose special cases the exact value does not cover.
func (f Function) defined(x, y float32) bool {
	finite := func(v float32) bool { return !math.IsInf(float64(v), 0) && v == v }
	return finite(x) && finite(y) && (f.Name == "atan2" || f.Name == "divide" && y != 0 || x > 0)
}

// promise is the limit of the error in ulp of the exact value, as far as the tables of the
// specification have one. Of what fast functions make of infinities and NaN they say
// nothing.
func (f Function) promise(x, y float32, exact float64) (limit float64, promised bool) {
	l := f.limit
	special := math.IsInf(float64(x), 0) || x != x || exact != exact || math.IsInf(exact, 0)
	switch {
	case l.As != nil || l.Undefined != nil && l.Undefined(x, y) ||
		f.Fast && (special || math.Abs(exact) > math.MaxFloat32):
		return 0, false
	case special:
		return 0.5, true
	}
	if absolute, ok := l.Absolute.At(float64(x)); ok {
		return absolute / scalar.Ulp(exact), true
	}
	return max(0.5, l.Ulps.At(float64(x))), true
}

func subnormal(x float32) bool { return x != 0 && math.Abs(float64(x)) < 0x1p-126 }

// miss is how far a result is off, in ulp of the exact value. What is subnormal, or may
// be within the limit, may also be zero; an infinity stands for the next power of two.
func miss(exact float64, got float32, limit float64) float64 {
	g := float64(got)
	u := scalar.Ulp(exact)
	switch {
	case exact != exact || got != got:
		if exact != exact && got != got {
			return 0
		}
		return never
	case scalar.F32.Round(exact) == got:
		if math.IsInf(g, 0) {
			return 0
		}
	case math.IsInf(exact, 0):
		return never
	case got == 0 && math.Abs(exact)-limit*u < 0x1p-126:
		return 0
	case math.IsInf(g, 0):
		g = math.Copysign(0x1p128, g)
	}
	return math.Abs(g-exact) / u
}

// Arguments are those of the function, as hexadecimal numbers of the language.
func (e *Error) Arguments() string {
	text := make([]string, len(e.Bits))
	for i, b := range e.Bits {
		text[i] = strconv.FormatFloat(float64(math.Float32frombits(b)), 'x', -1, 32)
	}
	return strings.Join(text, ", ")
}

// Ratio is the error as a share of the limit.
func (e *Error) Ratio() float64 { return e.Ulps / e.Limit }

func (t *errorTable) domain(x float32) *Domain {
	sign := 0
	if math.Signbit(float64(x)) {
		sign = 1
	}
	a := math.Abs(float64(x))
	for i, end := range ends {
		if a < end.end {
			return &t[sign][i]
		}
	}
	return &t[sign][len(ends)-1]
}

// merge adds what was measured later.
func (t *errorTable) merge(later errorTable) {
	for s := range t {
		for i := range t[s] {
			d, l := &t[s][i], later[s][i]
			d.Arguments += l.Arguments
			d.Open += l.Open
			if l.Worst != nil && (d.Worst == nil || l.Worst.Ulps > d.Worst.Ulps) {
				d.Worst = l.Worst
			}
			if l.Closest != nil && (d.Closest == nil || l.Closest.Ratio() > d.Closest.Ratio()) {
				d.Closest = l.Closest
			}
		}
	}
}

// domains are those that had arguments, from the largest negative numbers on.
func (t *errorTable) domains() []Domain {
	var list []Domain
	add := func(s, i int, name string) {
		if d := t[s][i]; d.Arguments > 0 {
			d.Name = name
			list = append(list, d)
		}
	}
	for i := len(ends) - 1; i >= 0; i-- {
		add(1, i, "negative, "+ends[i].name)
	}
	for i := range ends {
		add(0, i, "positive, "+ends[i].name)
	}
	return list
}

// holds reports whether every promise is kept.
func (t *errorTable) holds() bool {
	for s := range t {
		for _, d := range t[s] {
			if d.Closest != nil && d.Closest.Ratio() > 1+slack {
				return false
			}
		}
	}
	return true
}
