package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/suite"
)

// What a host must refuse of a quantised cache, where its kernels are judged,
// and the data that they decode.

// cachePoint is a small cache of heads of dim coordinates, with the axes of at.
func cachePoint(at suite.Shape, heads, dim int) suite.Shape {
	return suite.Shape{
		numKVHeads: heads, perHead: dim, cacheCapacity: 5,
		normsPerPos: fixtures.NormsPerVector(dim), scaleD512: 3, spare: 1,
	}.With(at)
}

// cacheLimits are the rules of every kernel and some of its own. A cache without
// heads or coordinates, or a run of no position, is accepted whatever else
// there is: nothing is launched.
func cacheLimits(storage, positions limit, run ...suite.Axis) limit {
	counted := slices.Concat([]suite.Axis{numKVHeads, perHead}, run)
	rules := limits(powerOfTwo(perHead), storage, atLeast(1, cacheCapacity), positions, normLimits, dstLimit(counted))
	return func(s suite.Shape) error {
		if err := atLeast(0, counted...)(s); err != nil {
			return err
		}
		if suite.Product(extents(counted)...).Size(s) == 0 {
			return nil
		}
		return rules(s)
	}
}

// powerOfTwo refuses values of a that are not powers of two.
func powerOfTwo(a suite.Axis) limit {
	return func(s suite.Shape) error {
		if n := a.Size(s); n&(n-1) != 0 {
			return fmt.Errorf("%s is %d, must be a power of two", a, n)
		}
		return nil
	}
}

// wholeBytes refuses vectors that end within a byte.
func wholeBytes(s suite.Shape) error {
	if n := s[perHead]; n < 2 {
		return fmt.Errorf("%s is %d, must be at least 2: a byte holds two coordinates of 4 bits", perHead, n)
	}
	return nil
}

func bitsLimit(s suite.Shape) error {
	if b := s[codebookBits]; b != 5 && b != 6 && b != 8 {
		return fmt.Errorf("%s is %d, must be 5, 6 or 8", codebookBits, b)
	}
	return nil
}

func positionLimits(s suite.Shape) error {
	if p, n := s[readPos], s[cacheCapacity]; p < 0 || p >= n {
		return fmt.Errorf("%s is %d, must be at least 0 and below %s = %d", readPos, p, cacheCapacity, n)
	}
	return nil
}

func runLimits(s suite.Shape) error {
	if p := s[startPos]; p < 0 {
		return fmt.Errorf("%s is %d, must be at least 0", startPos, p)
	}
	if end, n := s[startPos]+s[nTokens], s[cacheCapacity]; end > n {
		return fmt.Errorf("%s + %s is %d, must be at most %s = %d: a run does not wrap around", startPos, nTokens, end,
			cacheCapacity, n)
	}
	return nil
}

// normLimits refuses norms that no coordinate would use, none at all, and a
// scale that a long vector could not be divided by. Fewer norms than blocks are
// no fault: the last one counts for the blocks after it.
func normLimits(s suite.Shape) error {
	most := fixtures.NormsPerVector(s[perHead])
	if n := s[normsPerPos]; n < 1 || n > most {
		return fmt.Errorf("%s is %d, must be at least 1 and at most max(1, %s/%d) = %d", normsPerPos, n, perHead,
			normBlock, most)
	}
	if x := s[scaleD512]; s[perHead] > normBlock && x <= 0 {
		return fmt.Errorf("%s is %d, must be above 0 for a %s above %d", scaleD512, x, perHead, normBlock)
	}
	return nil
}

// dstLimit refuses an output that is too small for the product of axes.
func dstLimit(axes []suite.Axis) limit {
	return func(s suite.Shape) error {
		need := suite.Product(extents(axes)...).Size(s)
		if got := need / s[numKVHeads] * (s[numKVHeads] + s[spare]); got < need {
			return fmt.Errorf("dst has %d elements, must be at least %d, the product of %v", got, need, axes)
		}
		return nil
	}
}

// cacheShapes vary what all kernels share: every power of two from least to
// 2048, heads, norms fewer than blocks, scales, and caches with nothing to do.
func cacheShapes(base suite.Shape, least int) []suite.Shape {
	shapes := []suite.Shape{base}
	for dim := least; dim <= 2048; dim *= 2 {
		shapes = append(shapes, base.With(suite.Shape{perHead: dim, normsPerPos: fixtures.NormsPerVector(dim)}))
	}
	long := base.With(suite.Shape{perHead: 2048, normsPerPos: 8})
	shapes = slices.Concat(shapes,
		suite.Cross(base, suite.Vary(numKVHeads, 1, 3, 8), suite.Vary(spare, 0, 1)),
		suite.Cross(long, suite.Vary(normsPerPos, 1, 3, 7)),
		suite.Cross(long.With(suite.Shape{perHead: 512}), suite.Vary(normsPerPos, 1, 2), suite.Vary(scaleD512, 1, 16)),
		suite.Cross(base, suite.Vary(scaleD512, 0)), // of no use to a short vector
		suite.Cross(base, suite.Vary(numKVHeads, 0)),
		suite.Cross(base, suite.Vary(perHead, 0)),
	)
	for _, m := range []fixtures.Model{fixtures.Qwen35B(), fixtures.Qwen27B()} {
		shapes = append(shapes,
			cachePoint(base, m.KVHeads, m.HeadDim).With(suite.Shape{perHead: m.HeadDim, numKVHeads: m.KVHeads}))
	}
	return shapes
}

// longVector has more coordinates than 16 bits count.
func longVector(base suite.Shape) suite.Shape {
	return base.With(suite.Shape{numKVHeads: 1, perHead: 1 << 17, normsPerPos: 1 << 9})
}

// cacheProbes are a short vector, a long one with all its norms, and one with
// fewer, in the scale that the encoder uses.
func cacheProbes(base suite.Shape) []suite.Shape {
	return []suite.Shape{
		base,
		base.With(suite.Shape{perHead: 128}),
		base.With(suite.Shape{perHead: 512, normsPerPos: 2, scaleD512: 1}),
		base.With(suite.Shape{numKVHeads: 1, perHead: 1024, normsPerPos: 2}),
	}
}

func cacheRefused(base suite.Shape) []suite.Shape {
	long := base.With(suite.Shape{perHead: 512, normsPerPos: 2})
	return slices.Concat(
		suite.Around(base,
			suite.Vary(numKVHeads, -1), suite.Vary(perHead, -64, 3, 63, 65, 96),
			suite.Vary(normsPerPos, 0, 2), suite.Vary(spare, -1))[1:],
		suite.Around(long, suite.Vary(normsPerPos, 0, 3), suite.Vary(scaleD512, 0, -1), suite.Vary(spare, -1))[1:],
	)
}

// positionShapes are the ends of caches of several capacities.
func positionShapes(base suite.Shape) []suite.Shape {
	return slices.Concat(
		suite.Cross(base, suite.Vary(readPos, 0, 1, 4)),
		suite.Cross(base.With(suite.Shape{cacheCapacity: 1}), suite.Vary(readPos, 0)),
		suite.Cross(base.With(suite.Shape{cacheCapacity: 33}), suite.Vary(readPos, 0, 31, 32)),
		suite.Cross(base.With(suite.Shape{cacheCapacity: 129}), suite.Vary(readPos, 127, 128)),
	)
}

// positionEnds are many heads, a position far down a cache, and the last head of
// several such caches.
func positionEnds(base suite.Shape, width suite.Extent) []suite.End {
	const more = 1<<32 - 8
	one := base.With(suite.Shape{numKVHeads: 1, readPos: 3})
	far := suite.Shape{cacheCapacity: more + 5, readPos: more + 3}
	before := 2*far[cacheCapacity] + more - 2 // 5 positions are there, of which the row numbers are multiples of 8
	third := one.With(suite.Shape{cacheCapacity: 7, readPos: 5})
	return []suite.End{
		endOf(base, suite.Shape{numKVHeads: 1<<31 + 2}),
		endOf(one, far),
		{Shape: third, Of: suite.Shape{numKVHeads: 3, cacheCapacity: far[cacheCapacity], readPos: far[readPos]},
			Before: map[string]int{"packed": before * width.Size(one), "norms": before}},
	}
}

// runEnds are the same, and many positions of one run.
func runEnds(base suite.Shape) []suite.End {
	const more = 1<<32 - 8
	one := base.With(suite.Shape{numKVHeads: 1, spare: 0})
	return []suite.End{
		endOf(base.With(suite.Shape{nTokens: 1}), suite.Shape{numKVHeads: 1<<31 + 2}),
		endOf(one, suite.Shape{cacheCapacity: more + 5, startPos: more + 1}),
		endOf(one, suite.Shape{cacheCapacity: more + 5, nTokens: more + 3}),
	}
}

// fractionalScale is a scale that is no integer, of a vector that is divided by it.
func fractionalScale(base suite.Shape) []suite.Setting {
	return []suite.Setting{{
		Name: "other_scale", Shape: base.With(suite.Shape{perHead: 512, normsPerPos: 2}),
		Set: map[string]float64{"scale_factor_d512": 2.75},
	}}
}

func positionRefused(base suite.Shape) []suite.Shape {
	return suite.Around(base, suite.Vary(readPos, -1, 5, 6), suite.Vary(cacheCapacity, 0, 3))[1:]
}

// runShapes are runs from the first position, up to the last, over all, of one
// and of none.
func runShapes(base suite.Shape) []suite.Shape {
	run := func(capacity, start, n int) suite.Shape {
		return base.With(suite.Shape{cacheCapacity: capacity, startPos: start, nTokens: n})
	}
	return []suite.Shape{
		run(5, 0, 5), run(5, 0, 1), run(5, 4, 1), run(5, 2, 3), run(5, 0, 0), run(5, 5, 0), run(1, 0, 1),
		run(33, 1, 32), run(33, 32, 1), run(129, 64, 65), run(129, 0, 129),
	}
}

func runRefused(base suite.Shape) []suite.Shape {
	return append(
		suite.Around(base, suite.Vary(startPos, -1, 3, 5), suite.Vary(nTokens, -1, 5),
			suite.Vary(cacheCapacity, 0, 3))[1:],
		base.With(suite.Shape{startPos: 0, nTokens: 6}))
}

// everyBits is each shape with every codebook of the byte kernels.
func everyBits(shapes []suite.Shape) []suite.Shape {
	var all []suite.Shape
	for _, s := range shapes {
		all = append(all, suite.Cross(s, suite.Vary(codebookBits, 5, 6, 8))...)
	}
	return all
}

func bitsRefused(base suite.Shape) []suite.Shape {
	return suite.Cross(base, suite.Vary(codebookBits, -1, 0, 1, 4, 7, 9, 16))
}

// cacheInputs are the families of a cache that has so many bits for a
// coordinate, 4 or 8.
func cacheInputs(width int) []suite.Input {
	return append(suite.Standard(suite.Fills{"norms": suite.Positive}, "norms"),
		suite.Input{Name: "bytes_zero", Fills: suite.Fills{"packed": suite.Every(0)}},
		suite.Input{Name: "bytes_ones", Fills: suite.Fills{"packed": suite.Every(255)}},
		// Neighbours differ by one and every norm by a factor of two: where
		// the scale is a power of two too, a wrong index shows bit for bit.
		suite.Input{Name: "counting", Fills: suite.Fills{"packed": countingIndices(width), "norms": powersOfTwo}},
		suite.Input{Name: "encoded", Only: encodable, Fills: suite.Fills{
			"packed": func(_ *rand.Rand, s suite.Shape, x []float64) { copy(x, encodedCache(width, s).bytes) },
			"norms":  func(_ *rand.Rand, s suite.Shape, x []float64) { copy(x, encodedCache(width, s).norms) },
		}},
	)
}

// countingIndices counts coordinates, from another number in each position, in
// all the bits of a byte.
func countingIndices(width int) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		row := max(s[perHead]*width/8, 1)
		for i := range x {
			n := i%row + 7*(i/row)
			if width == 4 {
				n = 2*n%16 + (2*n+1)%16*16
			}
			x[i] = float64(n % 256)
		}
	}
}

// powersOfTwo are 2⁻³⁰ … 2³⁰ and again.
func powersOfTwo(_ *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = math.Ldexp(1, i%61-30)
	}
}

// encodable accepts caches as the encoder makes them: of vectors with all their
// norms, and the coordinates of long vectors have variance 1.
func encodable(s suite.Shape) bool {
	return s[perHead] > 0 && s[normsPerPos] == fixtures.NormsPerVector(s[perHead]) &&
		(s[perHead] <= normBlock || s[scaleD512] == 1)
}

// encoded is the contents of a cache as they are bound.
type encoded struct{ bytes, norms []float64 }

// encodedCache is a cache of random vectors of many lengths, every fifth of them
// zero, in the codebook of the shape's bits. It depends on the shape alone, so
// that bytes and norms belong together.
func encodedCache(width int, s suite.Shape) encoded {
	bits := 4
	if width == 8 {
		bits = s[codebookBits]
	}
	cache := fixtures.RotatedCache{Levels: codebook(bits), Scale: scaleD512.Value(s)}
	r := rand.New(rand.NewPCG(uint64(s[perHead]), uint64(s[cacheCapacity])))
	var e encoded
	vector := make([]float64, s[perHead])
	for i := range s[numKVHeads] * s[cacheCapacity] {
		suite.Scaled(suite.Wide, 1.0/1024)(r, s, vector)
		if i%5 == 4 {
			clear(vector)
		}
		indices, norms := cache.Encode(vector)
		e.norms = append(e.norms, norms...)
		for d, index := range indices {
			switch {
			case width == 8:
				e.bytes = append(e.bytes, float64(index))
			case d%2 == 0:
				e.bytes = append(e.bytes, float64(index))
			default:
				e.bytes[len(e.bytes)-1] += float64(16 * index)
			}
		}
	}
	return e
}
