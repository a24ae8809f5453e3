package kernels

import (
	"math"
	"testing"

	"metalconform/oracles"
)

// TestWordsRound checks the words that the exhaustive casts are judged on: the
// number itself comes back, the midpoint is a tie that goes to the even word,
// and its neighbours go to either side. Every word of the format is reached,
// and every NaN stays one.
func TestWordsRound(t *testing.T) {
	for _, f := range []oracles.Format{oracles.BF16, oracles.F16} {
		round := func(w uint32) uint32 { return f.Bits(float64(math.Float32frombits(w))) }
		for half := range uint32(allHalves) {
			w := wordsRound(f, half)
			number, below, middle, above := w[0], w[3], w[4], w[5]
			if x := f.FromBits(half); math.IsNaN(x) || math.IsInf(x, 0) {
				if math.IsNaN(float64(math.Float32frombits(number))) != math.IsNaN(x) ||
					!math.IsNaN(float64(math.Float32frombits(middle))) {
					t.Fatalf("%s %#04x: words %#x", f, half, w)
				}
				continue
			}
			if w[1] != number+1 || w[2] != number-1 || below != middle-1 || above != middle+1 {
				t.Fatalf("%s %#04x: words %#x are not neighbours", f, half, w)
			}
			even := half + half&1
			if round(number) != half || round(below) != half || round(middle) != even || round(above) != half+1 {
				t.Fatalf("%s %#04x: the words %#x round to %#04x, %#04x, %#04x, %#04x", f, half, w,
					round(number), round(below), round(middle), round(above))
			}
		}
	}
	for half := range uint32(allHalves) {
		if got := wordsRound(oracles.BF16, half)[0]; got != half<<16 {
			t.Fatalf("bf16 %#04x is the word %#08x", half, got)
		}
	}
}

// TestSpecialWords: there are NaN with a payload in each part of the word, and
// those with a low payload are none when cut off.
func TestSpecialWords(t *testing.T) {
	parts := map[uint32]bool{1 << 22: false, 1 << 21: false, 1 << 16: false, 1 << 13: false, 1: false}
	for _, w := range specialWords() {
		for p := range parts {
			parts[p] = parts[p] || w > 0x7f800000 && w&p != 0
		}
	}
	for p, found := range parts {
		if !found {
			t.Errorf("no NaN has the bit %#x", p)
		}
	}
	for _, w := range lowPayloads() {
		if !math.IsNaN(float64(math.Float32frombits(w))) || w>>16 != 0x7f80 {
			t.Errorf("%#08x is not a NaN whose payload lies in the lower half", w)
		}
	}
}
