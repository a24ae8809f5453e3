package lanes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var elementBits = map[string]int{
	"Gather32": 32, "Gather16": 16, "Gather8": 8, "GatherHalf": 16, "GatherBfloat": 16,
	"Widen16": 16, "Widen8": 8, "WidenHalf": 16, "WidenBfloat": 16,
	"Scatter32": 32, "Scatter16": 16, "Scatter8": 8,
}

// access is what the lanes of a gather or scatter mean in an object.
type access struct {
	words     []uint32
	idx, mask []uint32
	at        Index
}

var patterns = []struct {
	name string
	// index is the number, less than count, for a lane.
	index func(r *rand.Rand, lane, lanes int, count uint32) uint32
}{
	{"consecutive", func(_ *rand.Rand, l, _ int, n uint32) uint32 { return uint32(l) % n }},
	{"equal", func(_ *rand.Rand, _, _ int, n uint32) uint32 { return n - 1 }},
	{"equal blocks", func(_ *rand.Rand, l, _ int, n uint32) uint32 { return uint32(l/8) % n }},
	{"pairs", func(_ *rand.Rand, l, _ int, n uint32) uint32 { return uint32(l/2) % n }},
	{"strided", func(_ *rand.Rand, l, _ int, n uint32) uint32 { return uint32(3*l) % n }},
	{"far apart", func(_ *rand.Rand, l, _ int, n uint32) uint32 { return uint32(l) * (n / 200) % n }},
	{"almost strided", func(r *rand.Rand, l, _ int, n uint32) uint32 {
		return (2*uint32(l) + uint32(r.IntN(32)/31)) % n
	}},
	{"descending", func(_ *rand.Rand, l, lanes int, n uint32) uint32 { return uint32(lanes-1-l) % n }},
	{"random", func(r *rand.Rand, _, _ int, n uint32) uint32 { return r.Uint32N(n) }},
	{"almost consecutive", func(r *rand.Rand, l, _ int, n uint32) uint32 {
		return (uint32(l) + uint32(r.IntN(16)/15)) % n
	}},
}

// drawAccess draws an object that has room for every number below count, its
// last word partial, and lanes of which some are out of range: inactive ones at
// will, active ones if bad.
func drawAccess(r *rand.Rand, bits, lanes, pattern int, bad bool) access {
	count := uint32(max(1, lanes+r.IntN(20)-4))
	if r.IntN(2) == 0 {
		count *= 1 + r.Uint32N(20)
	}
	at := Index{Lo: draw(r), Count: count, Mult: 1, First: r.Uint32N(9)}
	switch r.IntN(4) {
	case 0:
		at.Mult = 1 + r.Uint32N(9)
	case 1:
		count = 16 << r.IntN(2) // a small table
		at.Count = count
	}
	elements := int((count-1)*at.Mult + at.First + 1)
	a := access{words: drawLanes(r, (elements*bits+31)/32), at: at}
	a.mask = drawMask(r, lanes+guard, []int{4, 4, 3, 1, 0}[r.IntN(5)])
	a.idx = drawLanes(r, lanes+guard)
	for l := range lanes {
		a.idx[l] = at.Lo + patterns[pattern].index(r, l, lanes, count)
		if out := r.IntN(8) == 0; out && (bad || a.mask[l] == 0) {
			a.idx[l] = at.Lo + []uint32{count, count + r.Uint32N(-count), ^uint32(0)}[r.IntN(3)]
		}
	}
	a.mask, a.idx = a.mask[:lanes], a.idx[:lanes]
	return a
}

// accesses calls f with accesses of all patterns and lengths.
func accesses(r *rand.Rand, bits int, f func(pattern string, a access)) {
	for p := range patterns {
		for _, lanes := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 128, 200} {
			for k := range 6 {
				f(patterns[p].name, drawAccess(r, bits, lanes, p, k%3 == 0))
			}
		}
	}
}

func testGather(t *testing.T, r *rand.Rand, bits int, got, want Gather) {
	accesses(r, bits, func(pattern string, a access) {
		lanes := len(a.idx)
		old := drawLanes(r, lanes+guard)
		gotD, wantD := slices.Clone(old), slices.Clone(old)
		g, w := got(gotD[:lanes], a.words, a.idx, a.mask, a.at), want(wantD[:lanes], a.words, a.idx, a.mask, a.at)
		if g != w {
			t.Fatalf("%s: %d lanes at %+v: returns %d, want %d", pattern, lanes, a.at, g, w)
		}
		for l := range gotD {
			if (l >= lanes || w == lanes && a.mask[l] != 0) && gotD[l] != wantD[l] {
				t.Fatalf("%s: %d lanes at %+v: lane %d is %08x, want %08x", pattern, lanes, a.at, l, gotD[l], wantD[l])
			}
		}
	})
}

// widenings calls f with elements of which the last one ends an object.
func widenings(r *rand.Rand, bits int, f func(words []uint32, first uint32, lanes int)) {
	for lanes := range 150 {
		first := r.Uint32N(70)
		f(drawLanes(r, ((int(first)+lanes)*bits+31)/32), first, lanes)
	}
}

func testWidening(t *testing.T, r *rand.Rand, bits int, got, want Widening) {
	widenings(r, bits, func(words []uint32, first uint32, lanes int) {
		old := drawLanes(r, lanes+guard)
		gotD, wantD := slices.Clone(old), slices.Clone(old)
		got(gotD[:lanes], words, first)
		want(wantD[:lanes], words, first)
		if !slices.Equal(wantD, gotD) {
			t.Fatalf("%d lanes from element %d on (-want +got):\n%s", lanes, first, cmp.Diff(wantD, gotD))
		}
	})
}

func testScatter(t *testing.T, r *rand.Rand, bits int, got, want Scatter) {
	accesses(r, bits, func(pattern string, a access) {
		v := drawLanes(r, len(a.idx))
		gotWords, wantWords := slices.Clone(a.words), slices.Clone(a.words)
		g, w := got(gotWords, a.idx, a.mask, v, a.at), want(wantWords, a.idx, a.mask, v, a.at)
		if g != w {
			t.Fatalf("%s: %d lanes at %+v: returns %d, want %d", pattern, len(v), a.at, g, w)
		}
		if !slices.Equal(wantWords, gotWords) {
			t.Fatalf("%s: %d lanes at %+v (-want +got):\n%s", pattern, len(v), a.at, cmp.Diff(wantWords, gotWords))
		}
	})
}

type narrowing = func(d []uint32, a []uint64, mask []uint32, origin, limit uint64, shift uint) int

// testNarrow draws offsets of which one in sixteen is too large or not aligned.
func testNarrow(t *testing.T, r *rand.Rand, got, want narrowing) {
	for k := range 1400 {
		lanes, shift := k%70, uint(r.IntN(4))
		origin, limit := r.Uint64()>>r.IntN(64), r.Uint64N(1<<31)<<shift
		mask, a := drawMask(r, lanes, 1+k%4), make([]uint64, lanes)
		for l := range a {
			offset := r.Uint64N(limit>>shift+1) << shift
			switch r.IntN(16 + 16*(k&1<<9)) {
			case 0:
				offset = r.Uint64() >> r.IntN(64)
			case 1:
				offset = limit
			}
			a[l] = origin + offset
		}
		old := drawLanes(r, lanes+guard)
		gotD, wantD := slices.Clone(old), slices.Clone(old)
		g, w := got(gotD[:lanes], a, mask, origin, limit, shift), want(wantD[:lanes], a, mask, origin, limit, shift)
		if g != w {
			t.Fatalf("%d lanes from %x to %x>>%d: returns %d, want %d", lanes, origin, limit, shift, g, w)
		}
		for l := range gotD {
			if (l >= lanes || w == lanes && mask[l] != 0) && gotD[l] != wantD[l] {
				t.Fatalf("%d lanes from %x to %x>>%d: lane %d is %08x, want %08x", lanes, origin, limit, shift, l,
					gotD[l], wantD[l])
			}
		}
	}
}
