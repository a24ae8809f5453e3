package html

import (
	"fmt"
	"math"

	"metalconform/suite/metrics"
)

// histogram is the drawing of a histogram of signed errors, in its own units.
type histogram struct {
	Width, Height int
	Bars          []bar
	Zero          int // middle of the bin of no error
	Ticks         []tick
}

// bar is a bin.
type bar struct {
	X, Y, Width, Height int
	Near, Far           string // its ends in units in the last place, of the smaller first
	Count               int
	Exact               bool // no error
}

// tick is a label on an axis.
type tick struct {
	At   int
	Text string
}

// ViewWidth is the width with its margins.
func (h *histogram) ViewWidth() int { return h.Width + 8 }

// Sizes of the drawing.
const (
	wide       = 440
	leastBar   = 9
	barHeight  = 120
	leastReach = 8 // bins on either side of 0
)

// newHistogram draws a histogram with heights by the logarithm of counts: a single
// element beside a million is to be seen.
func newHistogram(h metrics.Histogram) *histogram {
	reach, most := leastReach, 0
	for k, n := range h {
		reach, most = max(reach, k, -k), max(most, n)
	}
	if most == 0 {
		return nil
	}
	barWidth := max(wide/(2*reach+1), leastBar)
	d := &histogram{Width: (2*reach + 1) * barWidth, Height: barHeight, Zero: reach*barWidth + barWidth/2}
	for k := -reach; k <= reach; k++ {
		x := (k + reach) * barWidth
		if k == 0 || k%4 == 3 || k%4 == -3 {
			_, far := h.Edges(k)
			text := figureShort(far)
			d.Ticks = append(d.Ticks, tick{x + barWidth/2, text})
		}
		n := h[k]
		if n == 0 {
			continue
		}
		height := max(int(math.Round(barHeight*math.Log1p(float64(n))/math.Log1p(float64(most)))), 2)
		near, far := h.Edges(k)
		d.Bars = append(d.Bars, bar{x + 1, barHeight - height, barWidth - 2, height, figureShort(min(near, far)),
			figureShort(max(near, far)), n, k == 0})
	}
	return d
}

// figureShort is a power of two, or infinity, where there is little room.
func figureShort(x float64) string {
	if a := math.Abs(x); a >= 1024 && !math.IsInf(x, 0) {
		return fmt.Sprintf("%s2^%d", sign(x), int(math.Log2(a)))
	}
	if math.IsInf(x, 0) {
		return sign(x) + "∞"
	}
	return sign(x) + fmt.Sprint(math.Abs(x))
}

// sign is a minus in front of what is below 0.
func sign(x float64) string {
	if x < 0 {
		return "−"
	}
	return ""
}
