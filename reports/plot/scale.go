package plot

import (
	"math"
	"strconv"
	"strings"
)

// axis is one side of a chart. Where its numbers stand is for the scale to say.
type axis struct {
	label string // with the unit
	scale
}

// scale puts numbers on an axis.
type scale interface {
	position(x float64) float64 // finite for every x but NaN
	span() (low, high float64)
	Ticks() []tick
}

// logScale counts decades. What is too small for them, zero above all, and what is too large
// have rows of their own beside the decades, if there are such numbers.
type logScale struct {
	low, high  int                  // decades
	less, more string               // names of those rows, empty for none
	name       func(float64) string // of a tick
}

// mostDecades is how many a scale has unless it is to have fewer.
const mostDecades = 12

// Numbers of no more than tiny count as 0, and those from huge on as infinity:
// results have the largest float64 for it.
const (
	tiny = 1e-300
	huge = 1e300
)

// newLogScale is a scale for numbers of which none is NaN, with so many decades at
// most, the largest of them.
func newLogScale(name func(float64) string, decades int, numbers ...float64) logScale {
	s := logScale{name: name}
	least, most := math.Inf(1), 0.0
	for _, x := range numbers {
		switch {
		case x <= tiny:
			s.less = "0"
		case x >= huge:
			s.more = "∞"
		default:
			least, most = min(least, x), max(most, x)
		}
	}
	if most > 0 {
		s.low, s.high = decade(least, math.Floor), decade(most, math.Ceil)
	}
	if s.low == s.high {
		s.high++
	}
	if s.high-s.low > decades {
		s.low = s.high - decades
		s.less = "less"
	}
	return s
}

// Decades of a scale of errors over their bounds. They reach further above the bound than below it: how far a kernel is
// beyond its bound tells a wrong formula from a rounding, and how far it stays within matters little.
const (
	decadesWithin = 6
	decadesBeyond = 12
)

// newBoundScale is a scale for errors as fractions of their bounds, none of them NaN. The bound is always within the
// decades, never in a row beside them.
func newBoundScale(ratios ...float64) logScale {
	s := newLogScale(number, math.MaxInt, append(ratios, bound, 2*bound)...)
	if s.low < -decadesWithin {
		s.low, s.less = -decadesWithin, "less"
	}
	if s.high > decadesBeyond {
		s.high, s.more = decadesBeyond, "more"
	}
	return s
}

// decade is the exponent of ten next to x.
func decade(x float64, round func(float64) float64) int { return int(round(math.Log10(x))) }

// gap is how far beside the decades the rows of zero and infinity are, as a part
// of all decades.
const gap = 0.08

func (s logScale) beside() float64 { return gap * float64(s.high-s.low) }

func (s logScale) position(x float64) float64 {
	switch {
	case x >= huge || s.more != "" && math.Log10(x) > float64(s.high):
		return float64(s.high) + s.beside()
	case x <= tiny || math.Log10(x) < float64(s.low):
		return float64(s.low) - s.beside()
	}
	return min(math.Log10(x), float64(s.high))
}

// span leaves room for marks at the ends.
func (s logScale) span() (low, high float64) {
	margin := 0.02 * float64(s.high-s.low)
	low, high = float64(s.low)-margin, float64(s.high)+margin
	if s.less != "" {
		low -= 1.5 * s.beside()
	}
	if s.more != "" {
		high += 1.5 * s.beside()
	}
	return low, high
}

// ends are the first and the last decade.
func (s logScale) ends() (low, high float64) {
	return pow10(s.low), pow10(s.high)
}

// mostLabels is how many decades have a label.
const mostLabels = 10

// Ticks are the decades, the steps between them if they are few, and the rows beside them. If not every decade has a
// label, the decade of 1 still has.
func (s logScale) Ticks() []tick {
	decades := s.high - s.low
	step := (decades + mostLabels - 1) / mostLabels
	var ticks []tick
	if s.less != "" {
		ticks = append(ticks, tick{value: s.position(0), label: s.less})
	}
	for d := s.low; d <= s.high; d++ {
		t := tick{value: float64(d)}
		if d%step == 0 {
			t.label = s.name(pow10(d))
		}
		ticks = append(ticks, t)
		if d == s.high || decades > 6 {
			continue
		}
		for m := 2; m < 10; m++ {
			t := tick{value: float64(d) + math.Log10(float64(m))}
			if decades <= 2 && (m == 2 || m == 5) {
				t.label = s.name(decimal(m, d))
			}
			ticks = append(ticks, t)
		}
	}
	if s.more != "" {
		ticks = append(ticks, tick{value: s.position(huge), label: s.more})
	}
	return ticks
}

// pow10 is the float64 next to a power of ten, which math.Pow10 may miss.
func pow10(n int) float64 { return decimal(1, n) }

// decimal is the float64 next to m·10ⁿ, which has no more digits than m.
func decimal(m, n int) float64 {
	x, _ := strconv.ParseFloat(strconv.Itoa(m)+"e"+strconv.Itoa(n), 64)
	return x
}

// number spells a number in few characters.
func number(x float64) string {
	if x == 0 || x >= 1e-3 && x < 1e6 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	return digits + "e" + strconv.Itoa(n)
}

// prefixed spells numbers with the prefixes of units: 3 G.
func prefixed(unit string) func(float64) string {
	return func(x float64) string {
		prefixes := []string{"p", "n", "µ", "m", "", "k", "M", "G", "T", "P"}
		i := 4
		for ; x >= 999.5 && i < len(prefixes)-1; i++ {
			x /= 1000
		}
		for ; x < 0.9995 && i > 0; i-- {
			x *= 1000
		}
		return number(rounded(x)) + " " + prefixes[i] + unit
	}
}

// rounded is x with three significant digits.
func rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	return y
}

// rows is a scale of so many rows with names, row i about i.
type rows []string

func (r rows) position(x float64) float64 { return x }
func (r rows) span() (low, high float64)  { return -0.5, float64(len(r)) - 0.5 }

func (r rows) Ticks() []tick {
	var ticks []tick
	for i, name := range r {
		// A tick with no label is a short one between others.
		if name != "" {
			ticks = append(ticks, tick{value: float64(i), label: name})
		}
	}
	return ticks
}
