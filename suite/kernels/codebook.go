package kernels

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"metalconform/fixtures"
)

// codebook is the best codebook of 4, 5, 6 or 8 bits for a normal distribution, in f32:
// the digits after differ between machines. It is shared, and not to be changed.
func codebook(bits int) []float64 { return codebooks[bits]() }

var codebooks = map[int]func() []float64{4: codebookOnce(4), 5: codebookOnce(5), 6: codebookOnce(6), 8: codebookOnce(8)}

func codebookOnce(bits int) func() []float64 {
	return sync.OnceValue(func() []float64 {
		levels := fixtures.Codebook(bits)
		for i, x := range levels {
			levels[i] = float64(float32(x))
		}
		return levels
	})
}

// mostAbove is by what part the mean squared error of a codebook may exceed the least
// possible one and be worth no warning. The best levels of 8 bits rounded to half are
// 0.07 % above it, rounded to bfloat 3.4 %.
const mostAbove = 0.01

// appraiseCodebook compares a codebook with the best one of its size: it codes
// coordinates of a rotated vector, whose distribution is close to normal. An encoder
// looks for the nearest level between the middles of neighbours, so that levels have to
// ascend; and as the distribution is symmetric, the best ones are.
func appraiseCodebook(levels []float64) (note string, warnings []string) {
	sorted := slices.Sorted(slices.Values(levels))
	got, least := fixtures.CodebookError(sorted), fixtures.CodebookError(codebook(bits.Len(uint(len(levels)-1))))
	above := got/least - 1
	distance := "the least possible"
	if above > 1e-6 {
		distance = fmt.Sprintf("%.3g %% above the least possible", 100*above)
	}
	clauses := []string{fmt.Sprintf("%d levels", len(levels)), "ascending", "symmetric"}
	for i, wrong := range []string{descent(levels), asymmetry(levels, sorted)} {
		if wrong != "" {
			clauses[i+1] = "not " + clauses[i+1]
			warnings = append(warnings, wrong)
		}
	}
	distance = fmt.Sprintf("mean squared error %.6e for a normal variable, %s", got, distance)
	if above > mostAbove {
		warnings = append(warnings, distance)
	}
	return strings.Join(append(clauses, distance), ", "), warnings
}

// descent says where levels do not ascend; nothing if they do.
func descent(levels []float64) string {
	for i := range levels[1:] {
		if levels[i] >= levels[i+1] {
			return fmt.Sprintf("not ascending: entry %d is %.9g and entry %d is %.9g, and an encoder looks for the "+
				"nearest level between the middles of neighbours", i, levels[i], i+1, levels[i+1])
		}
	}
	return ""
}

// asymmetry says which level has no counterpart of the other sign; nothing if each has.
func asymmetry(levels, sorted []float64) string {
	for i, x := range sorted {
		if y := sorted[len(sorted)-1-i]; x != -y {
			return fmt.Sprintf("not symmetric, as the best levels for a normal variable are: entry %d is %.9g, and "+
				"no entry is %.9g", slices.Index(levels, x), x, -x)
		}
	}
	return ""
}
