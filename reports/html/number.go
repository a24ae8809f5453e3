package html

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// figure is x with three significant digits, in plain notation where that stays
// short. The largest float64 stands for infinity, as in results.
func figure(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case x >= math.MaxFloat64:
		return "∞"
	case x <= -math.MaxFloat64:
		return "−∞"
	case math.IsNaN(x):
		return "NaN"
	case a < 1e-3 || a >= 999500:
		return strconv.FormatFloat(x, 'e', 2, 64)
	case a >= 99.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	default:
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(a, 'e', 2, 64), 64)
		return strconv.FormatFloat(x, 'f', 2-int(math.Floor(math.Log10(rounded))), 64)
	}
}

// cosine is c with nine decimals, cut and not rounded, so that what is less than
// one does not read as one; the noise is the rounding of the cosine itself.
func cosine(c float64) string {
	const noise = 1e-12
	return fmt.Sprintf("%.9f", math.Trunc((c+math.Copysign(noise, c))*1e9)/1e9)
}

// duration is a time with three significant digits in the largest unit that keeps
// it at 1 or more.
func duration(ns int64) string {
	x, unit := float64(ns), "ns"
	for _, next := range []string{"µs", "ms", "s"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, next
	}
	return figure(x) + " " + unit
}

// grouped is n with its digits in groups of three.
func grouped(n int) string {
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

// count is n with its noun, in the plural unless n is 1.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// position spells a position: [3, 17].
func position(at []int) string { return strings.ReplaceAll(fmt.Sprint(at), " ", ", ") }
