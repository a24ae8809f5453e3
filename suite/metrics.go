package suite

import (
	"math"

	"metalconform/oracles"
)

// Metrics are the conventional figures of one output against its exact values,
// where got is what the kernel wrote and want the exact value, not rounded.
// Beside the error as a fraction of the statistical bound in a case of random
// inputs, and beside what [Check] names, they gate nothing: they tell a reader
// what an error is like.
//
// Measured are the elements that the contract bounds and whose want and got are
// both finite; NonFinite counts the others. A result below the smallest normal
// number of the output's format may have been flushed to zero: for the sums of
// squares both got and want are zero there.
type Metrics struct {
	Stage    string `json:"stage,omitempty"` // of a pipeline, or the invariant between its buffers
	Output   string `json:"output"`
	Type     string `json:"type"`
	Extents  []int  `json:"extents"`
	Elements int    `json:"elements"` // measured

	ErrorRatio  Peak  `json:"over"`                  // error as a fraction of the rigorous bound
	Statistical *Peak `json:"statistical,omitempty"` // the same of the statistical bound; nil unless inputs are random and there is one

	Ulp       *Ulps     `json:"ulp,omitempty"`       // nil for integers
	Histogram Histogram `json:"histogram,omitempty"` // of errors in units in the last place; nil for integers
	Abs       Peak      `json:"abs"`                 // |got − want|
	Rel       Peak      `json:"rel"`                 // |got − want|/|want| where |want| is at least the smallest normal number

	Cosine  float64 `json:"cosine"`             // Σ got·want / √(Σ got² · Σ want²): 1 if both are zero, 0 if one is
	NMSE    float64 `json:"nmse"`               // Σ (got − want)² / Σ want²: 0 if both are zero, infinite if want is
	RelRMSE float64 `json:"rel_rmse"`           // √NMSE
	SNR     float64 `json:"snr"`                // −10 log₁₀ NMSE, in dB
	VsPlain float64 `json:"to_plain,omitempty"` // error in root mean square over that of the reference; 0 if not asked for

	Mismatched int      `json:"mismatched,omitempty"` // elements that fail a check, of all
	Misrounded int      `json:"misrounded,omitempty"` // measured elements other than want rounded to nearest
	Flushed    int      `json:"flushed,omitempty"`    // measured zeros where want is below the normal range and not zero
	NonFinite  *Classes `json:"nonfinite,omitempty"`  // nil where everything is finite

	Slices []Slices `json:"slices,omitempty"` // nil where got is want in every element
	Map    *Map     `json:"map,omitempty"`    // nil unless an element fails a check or has an error above half of its bound
}

// Peak is the largest of a figure, or of a cosine the smallest, and the element
// that has it; of a slice, its first element. There is none where nothing
// differs from the ideal.
type Peak struct {
	Value float64 `json:"value"`
	At    []int   `json:"at,omitempty"` // over the output's extents
}

// Classes count elements of which got or want is not finite. An infinite got is
// no overflow where want rounds to it.
type Classes struct {
	NaN      int `json:"nan,omitempty"`      // NaN in both
	Inf      int `json:"inf,omitempty"`      // the same infinity in both
	NaNMade  int `json:"nan_made,omitempty"` // NaN where a number or an infinity is due
	NaNLost  int `json:"nan_lost,omitempty"` // anything else where NaN is due
	Overflow int `json:"overflow,omitempty"` // an infinity where a number is due
	InfLost  int `json:"inf_lost,omitempty"` // a number where an infinity is due
	InfSign  int `json:"inf_sign,omitempty"` // the other infinity
}

// meter measures an output in one pass over its elements.
type meter struct {
	format   oracles.Format
	float    bool
	smallest float64 // normal number of the format; 0 for integers

	elements               int
	ulps                   ulps
	signed                 signedErrors
	ratio, sharp, abs, rel extreme
	misrounded, mismatched int
	flushed                int
	classes                Classes
	slicer                 *slicer
}

// extreme is the largest value so far and the element that has it.
type extreme struct {
	value float64
	at    int
}

func (e *extreme) note(i int, x float64) {
	if x > e.value {
		e.value, e.at = x, i
	}
}

// newMeter is a meter for a buffer of the given type and extents.
func newMeter(t Type, extents []int) *meter {
	m := &meter{slicer: newSlicer(extents)}
	if m.format, m.float = t.Format(); m.float {
		m.smallest = m.format.SmallestNormal()
	}
	return m
}

// add takes in element i, both of its values finite. Elements come in order.
func (m *meter) add(i int, got, want float64) {
	m.elements++
	diff := math.Abs(got - want)
	m.abs.note(i, diff)
	if w := math.Abs(want); diff > m.rel.value*w && w >= m.smallest && w > 0 {
		m.rel = extreme{diff / w, i}
	}
	if m.float {
		m.ulp(i, got, want)
	} else if diff != 0 {
		m.misrounded++
	}
	if math.Abs(got) < m.smallest {
		got = 0
	}
	if math.Abs(want) < m.smallest {
		want = 0
	}
	e := products(got, want)
	m.slicer.add(i, &e)
}

// ulp takes in the error of element i in units in the last place.
func (m *meter) ulp(i int, got, want float64) {
	if rounded(m.format, want) == got {
		m.ulps.exact()
		return
	}
	m.misrounded++
	if got == 0 && math.Abs(want) < m.smallest {
		m.flushed++
		m.ulps.exact()
		return
	}
	e := (got - want) / m.format.Ulp(want)
	m.ulps.add(i, e, want)
	m.signed.add(e)
}

// rounded is x in the format, through the conversion of the machine where it
// has one: the metrics are about a value that the verdict does not rest on.
func rounded(f oracles.Format, x float64) float64 {
	if f == oracles.F32 {
		return float64(float32(x))
	}
	return f.Round(x)
}

// ulpError is the signed error of got in units in the last place at want, the
// smaller gap at a power of two. It is 0 where got is want rounded to nearest,
// and where it is zero and want below the normal range.
func ulpError(f oracles.Format, got, want float64) float64 {
	if rounded(f, want) == got || got == 0 && math.Abs(want) < f.SmallestNormal() {
		return 0
	}
	return f.UlpError(got, want)
}

// unmeasured counts an element of which got or want is not finite.
func (m *meter) unmeasured(got, want float64) {
	c := &m.classes
	switch {
	case math.IsNaN(want) && math.IsNaN(got):
		c.NaN++
	case math.IsNaN(want):
		c.NaNLost++
	case math.IsNaN(got):
		c.NaNMade++
	case got == want, m.float && got == m.format.Round(want):
		c.Inf++
	case isFinite(want):
		c.Overflow++
	case isFinite(got):
		c.InfLost++
	default:
		c.InfSign++
	}
}

// metrics are the figures of the output called name. place turns an element
// into its position.
func (m *meter) metrics(a Arg, s Shape) Metrics {
	place := func(i int) []int { return a.index(s, i) }
	m.slicer.finish()
	total := &m.slicer.total
	out := Metrics{
		Output: a.Name, Type: a.Type.String(), Extents: sizes(a, s), Elements: m.elements,
		ErrorRatio: m.ratio.peak(place), Abs: m.abs.peak(place), Rel: m.rel.peak(place),
		Cosine: total.cosine(), NMSE: figure(total.nmse()),
		Mismatched: m.mismatched, Misrounded: m.misrounded, Flushed: m.flushed,
	}
	if m.sharp.value > 0 {
		p := m.sharp.peak(place)
		out.Statistical = &p
	}
	out.RelRMSE = figure(math.Sqrt(total.nmse()))
	out.SNR = figure(-10 * math.Log10(total.nmse()))
	if m.float {
		u := m.ulps.figures(place)
		out.Ulp, out.Histogram = &u, m.signed.histogram(m.elements)
	}
	if m.classes != (Classes{}) {
		out.NonFinite = &m.classes
	}
	if total.dd > 0 {
		out.Slices = m.slicer.worst(a, place)
	}
	return out
}

// peak is the extreme for a reader.
func (e extreme) peak(place func(int) []int) Peak {
	if e.value == 0 {
		return Peak{}
	}
	return Peak{Value: figure(e.value), At: place(e.at)}
}

// sizes are the extents of a buffer at shape s.
func sizes(a Arg, s Shape) []int {
	n := make([]int, len(a.Extents))
	for i, e := range a.Extents {
		n[i] = e.Size(s)
	}
	return n
}

// sums are what the figures of a set of elements are made of.
type sums struct {
	gg, gw, ww float64 // Σ got², Σ got·want, Σ want²
	dd         float64 // Σ (got − want)²
}

// products are the sums of one element, each rounded so that adding it up is the
// same on every machine.
func products(got, want float64) sums {
	d := got - want
	return sums{gg: float64(got * got), gw: float64(got * want), ww: float64(want * want), dd: float64(d * d)}
}

func (s *sums) add(e *sums) {
	s.gg += e.gg
	s.gw += e.gw
	s.ww += e.ww
	s.dd += e.dd
}

// cosine is 1 if both vectors are zero, 0 if one is or if squares overflow.
func (s *sums) cosine() float64 {
	switch {
	case s.gg == 0 && s.ww == 0:
		return 1
	case s.gg == 0 || s.ww == 0, math.IsInf(s.gg, 1), math.IsInf(s.ww, 1):
		return 0
	}
	return s.gw / (math.Sqrt(s.gg) * math.Sqrt(s.ww))
}

// nmse is 0 if there is no error, infinite if want alone is zero or if squares
// overflow.
func (s *sums) nmse() float64 {
	switch {
	case s.dd == 0:
		return 0
	case math.IsInf(s.dd, 1):
		return s.dd
	}
	return s.dd / s.ww
}
