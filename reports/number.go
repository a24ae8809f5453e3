package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"metalconform/internal/printable"
	"metalconform/suite/metrics"
)

// Figure is x with three significant digits, in plain notation where that
// stays short. The largest float64 stands for infinity, as in results.
func Figure(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case x >= math.MaxFloat64:
		return "∞"
	case x <= -math.MaxFloat64:
		return "-∞"
	case math.IsNaN(x):
		return "NaN"
	case a < 1e-3 || a >= 999500:
		return strconv.FormatFloat(x, 'e', 2, 64)
	case a >= 99.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	default:
		// Rounding first finds the digits of 9.996, which is 10.0 and not 10.00.
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(a, 'e', 2, 64), 64)
		return strconv.FormatFloat(x, 'f', 2-int(math.Floor(math.Log10(rounded))), 64)
	}
}

// Cosine is c with nine decimals, cut and not rounded: what is less than one
// does not read as one, but for the rounding errors of the cosine itself.
func Cosine(c float64) string {
	const noise = 1e-12
	if math.IsNaN(c) {
		return "NaN"
	}
	return fmt.Sprintf("%.9f", math.Trunc((c+math.Copysign(noise, c))*1e9)/1e9)
}

// mostTimes is the largest quotient of an error and its bound that says something to a reader.
const mostTimes = 1e4

// Value is x as values of a metric are written.
func Value(m metrics.Metric, x float64) string {
	if m.Key == metrics.ErrorRatio && x > mostTimes && x < math.MaxFloat64 {
		return "> 10000"
	}
	switch m.Format {
	case metrics.NearOne:
		return Cosine(x)
	case metrics.Count:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return Figure(x)
}

// Duration is d with three significant digits in the largest unit that keeps
// the number at 1 or more.
func Duration(d time.Duration) string {
	unit, name := time.Nanosecond, "ns"
	switch {
	// What rounds to 1000 of a unit is one of the next.
	case d >= 999500*time.Microsecond:
		unit, name = time.Second, "s"
	case d >= 999500*time.Nanosecond:
		unit, name = time.Millisecond, "ms"
	case d >= 1000:
		unit, name = time.Microsecond, "µs"
	}
	return Figure(float64(d)/float64(unit)) + " " + name
}

// Grouped is n with its digits in groups of three.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && digits[i-1] != '-' && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Number is n with its noun, in the plural unless n is 1, for a page.
func Number(n int, noun string) string {
	return Grouped(n) + " " + printable.Noun(n, noun)
}
