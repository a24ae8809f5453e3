package suite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"metalconform/oracles"
)

// Input is a family of inputs: how each buffer is filled.
type Input struct {
	Name string
	// Random says that elements are drawn independently of each other, from one
	// distribution and without structure: only then are rounding errors the
	// independent ones that a statistical bound is about, and it gates.
	Random bool
	// Fills by argument name. An argument without one has the fill of the
	// sweep's first family; if that has none either, that of [Kernel.DefaultFill].
	Fills Fills
	// Only restricts the family to the shapes that it makes sense for; nil
	// means all.
	Only func(Shape) bool

	// set gives scalars of every launch in place of what they are otherwise.
	set map[string]float64
	// recorded says that what the oracle answers holds for these elements alone.
	recorded bool
	// everywhere says that the family is for every shape of a sweep that is smaller than its first probe, too.
	everywhere bool
	// Own says that a specification names the family itself: then numbers that are not finite are judged in fast math
	// too.
	Own bool
	// integers says how integers are drawn that no fill is given for.
	integers integerDraw
	// approach leads what is drawn near the decisions of the definition.
	approach approach
	// structures are fills that depend on rows and tokens of the arguments, which become Fills when these are known.
	structures map[string]structure
	// once says that the family is for the first probe alone.
	once bool
	// unread draws an element that nothing may depend on, given the magnitude of the
	// largest element of its buffer; nil leaves it to the fill.
	unread func(r *rand.Rand, t Type, largest float64) float64
}

// Fills are fills by argument name.
type Fills map[string]Fill

// Fill writes the elements of one buffer. The suite then rounds them to the
// buffer's type, ties to even.
type Fill func(r *rand.Rand, s Shape, x []float64)

// Standard is the set of families that every kernel has, over the arguments
// called args: normal, wide, cancelling, positive, integers, subnormal, extremes,
// zeros, at the first probe ends, scales and zero_tokens, and for each of args nan_ARG and inf_ARG with one
// non-finite element and, at the first probe, masked_ARG with rows of −∞. Beside NaN the others
// of args are zero, since a factor of 0 does not hide NaN. The
// families normal, wide and positive are random.
// defaults are the fills of the other arguments, and of args in the family
// normal and in those with one non-finite element.
func Standard(defaults Fills, args ...string) []Input {
	families := []Input{{Name: "normal", Random: true, Fills: defaults}}
	for _, f := range []struct {
		name   string
		random bool
		fill   Fill
	}{
		{"wide", true, Wide}, {"cancelling", false, Cancelling}, {"positive", true, Positive},
		{"integers", false, Integers}, {"subnormal", false, Subnormal}, {"extremes", false, Extremes},
		{"zeros", false, Zeros},
	} {
		fills := Fills{}
		for _, a := range args {
			fills[a] = f.fill
		}
		families = append(families, Input{Name: f.name, Random: f.random, Fills: fills})
	}
	families = append(families, structured(defaults, args)...)
	for _, a := range args {
		fill := defaults[a]
		if fill == nil {
			fill = Normal
		}
		beside := Fills{}
		for _, b := range args {
			if b != a {
				beside[b] = Zeros
			}
		}
		families = append(families,
			Input{Name: "nan_" + a, Fills: beside, structures: map[string]structure{a: oneRead(fill, math.NaN())}},
			Input{Name: "inf_" + a, structures: map[string]structure{a: oneRead(fill, math.Inf(1))}},
			Input{Name: "masked_" + a, structures: map[string]structure{a: maskedRows(fill)}, once: true})
	}
	return families
}

// structured are the families ends, scales and zero_tokens of [Standard].
func structured(defaults Fills, args []string) []Input {
	all, scales := Fills{}, map[string]structure{}
	for name, fill := range defaults {
		all[name] = fill
	}
	for _, a := range args {
		if all[a] == nil {
			all[a] = Normal
		}
		scales[a] = scaledRows(all[a])
	}
	ends := Fills{}
	for name, fill := range all {
		ends[name] = Ends(fill)
	}
	return []Input{{Name: "ends", Fills: ends, once: true}, {Name: "scales", structures: scales, once: true},
		ZeroTokens(all)}
}

// ZeroTokens is the family zero_tokens over arguments with their fills: every third token is zero in all of them.
func ZeroTokens(fills Fills) Input {
	zeros := map[string]structure{}
	for name, fill := range fills {
		zeros[name] = zeroTokens(fill)
	}
	return Input{Name: "zero_tokens", structures: zeros, once: true}
}

// atEdge reports whether a family of the suite's own is about the edge of the numbers that a format has: those that may
// count as zero, the largest, and those that are not finite.
func (in Input) atEdge() bool {
	return !in.Own && (slices.Contains([]string{"subnormal", "extremes", "zeros"}, in.Name) ||
		in.nonFinite())
}

// nonFinite reports whether the family has numbers which are not finite, by its name.
func (in Input) nonFinite() bool {
	return slices.ContainsFunc([]string{"nan_", "inf_", "masked_"},
		func(prefix string) bool { return strings.HasPrefix(in.Name, prefix) })
}

// Finite are the families of [Standard] without those that have numbers which are not finite, or the largest one.
func Finite(families []Input) []Input {
	return slices.DeleteFunc(slices.Clone(families), func(in Input) bool {
		return in.Name == "extremes" || in.nonFinite()
	})
}

// Placed is the set of families that tell where an extreme lies and which way a tie goes, over the
// arguments called args: ties and range, for codes of eight bits of what is quantised by its largest element and by
// its range, coarse, for those of four, rising, falling and peaks. Two are for what begins at zero and should not, also
// where a shape leaves threads without an element: negative, and opposed, of which the first argument alone is
// negative. They alone are random.
func Placed(args ...string) []Input {
	var families []Input
	for _, f := range []struct {
		name   string
		random bool
		fill   Fill
	}{
		{"ties", false, Ties(127)}, {"range", false, Ties(127.5)}, {"coarse", false, Ties(8, 7, 7.5)},
		{"rising", false, Rising}, {"falling", false, Falling}, {"peaks", false, Peaks},
		{"negative", true, Uniform(-128, -112)},
	} {
		fills := Fills{}
		for _, a := range args {
			fills[a] = f.fill
		}
		families = append(families, Input{Name: f.name, Random: f.random, Fills: fills, everywhere: f.random})
	}
	if len(args) > 1 {
		fills := Fills{args[0]: Uniform(-32, -24)}
		for _, a := range args[1:] {
			fills[a] = Positive
		}
		families = append(families, Input{Name: "opposed", Random: true, Fills: fills, everywhere: true})
	}
	return families
}

// Ties gives a fill of multiples of ½ up to one of some sizes, positive and negative, of which every eighth is that
// size: numbers just between two integers, and just between two codes of a block or a row that is quantised
// by its largest element or by its range. The sizes take turns, with 128 elements each.
func Ties(sizes ...float64) Fill {
	return func(r *rand.Rand, _ Shape, x []float64) {
		for i := range x {
			most := sizes[i/128%len(sizes)]
			x[i] = most - float64(float64(r.IntN(int(4*most)+1))/2)
			if i%8 == 7 {
				x[i] = math.Copysign(most, x[i])
			}
		}
	}
}

// Rising draws from [½, 4) in rising order: the largest of any row or block is its last.
func Rising(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		x[i] = 0.5 + float64(3.5*(float64(i)+float64(r.Float64()))/float64(len(x)))
	}
}

// Falling is the other way round: the largest is the first, and the least the last.
func Falling(r *rand.Rand, s Shape, x []float64) {
	Rising(r, s, x)
	slices.Reverse(x)
}

// Peaks draws from [½, 4) in rising order within 32 elements: where the lanes of a simdgroup take one element
// each, the last lane has the largest.
func Peaks(r *rand.Rand, _ Shape, x []float64) {
	const lanes = 32
	for i := range x {
		x[i] = 0.5 + float64(3.5*(float64(i%lanes)+float64(r.Float64()))/lanes)
	}
}

// Normal draws from the standard normal distribution, but for its tails beyond
// ±6.
func Normal(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		x[i] = normal(r)
	}
}

// normal is the sum of twelve uniform numbers on [−½, ½), which has variance 1.
// Twelve integers of 16 bits and a fraction for the bits below them make it the
// same on every machine, as no function of package math would.
func normal(r *rand.Rand) float64 {
	const even = 0x0000ffff0000ffff
	var pairs uint64 // two sums of six integers each
	for range 3 {
		w := r.Uint64()
		pairs += w&even + w>>16&even
	}
	sum := int64(pairs&0xffffffff+pairs>>32) - 6<<16
	return (float64(sum) + float64(12*r.Float64())) * 0x1p-16
}

// Scaled is fill with every element multiplied by factor.
//
//go:noinline
func Scaled(fill Fill, factor float64) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		fill(r, s, x)
		for i := range x {
			x[i] *= factor
		}
	}
}

// Within is fill with every finite element beyond the largest halved until it is not.
func Within(fill Fill, largest float64) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		fill(r, s, x)
		for i := range x {
			for math.Abs(x[i]) > largest && !math.IsInf(x[i], 0) {
				x[i] /= 2
			}
		}
	}
}

// Below draws integers from 0 up to a length, and not that.
func Below(end Extent) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		n := max(end.Size(s), 1)
		for i := range x {
			x[i] = float64(r.IntN(n))
		}
	}
}

// Offsets draws where parts of a length begin and the last of them ends: from 0 up to the length, none before the one
// in front of it. Some parts are empty, and of several the first or the last may be.
func Offsets(end Extent) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		n := max(end.Size(s), 0)
		for i := range x {
			switch {
			case i == 0:
				x[i] = 0
			case i == len(x)-1:
				x[i] = float64(n)
			case i > 1 && r.IntN(4) == 0:
				x[i] = x[i-1]
			default:
				x[i] = float64(r.IntN(n + 1))
			}
		}
		slices.Sort(x)
	}
}

// Distinct draws integers from 0 up to a length, each at most once. With a value for what is missing about every fourth
// element is that instead, and so are those that no integer is left for.
func Distinct(end Extent, missing ...float64) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		n, drawn := end.Size(s), 0
		if n < len(x) && len(missing) == 0 {
			panic(Mistake(fmt.Sprintf("%d distinct integers below %d", len(x), n)))
		}
		moved := map[int]int{} // of a shuffle of 0…n-1 as far as it is drawn
		at := func(i int) int {
			if was, ok := moved[i]; ok {
				return was
			}
			return i
		}
		for i := range x {
			if drawn == n || len(missing) > 0 && r.IntN(4) == 0 {
				x[i] = missing[0]
				continue
			}
			j := drawn + r.IntN(n-drawn)
			x[i], moved[j] = float64(at(j)), at(drawn)
			drawn++
		}
	}
}

// Wide draws numbers of both signs whose exponents are spread evenly over
// −20…20, so that most terms of a sum are lost in a few.
func Wide(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		x[i] = math.Ldexp(1+float64(r.Float64()), r.IntN(41)-20)
		if r.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
}

// Cancelling draws numbers of which each neighbour is almost the opposite of
// the one before it, so that a sum is much smaller than its terms.
func Cancelling(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		if i%2 == 0 {
			x[i] = 1000 * normal(r)
		} else {
			x[i] = -x[i-1] * (1 + float64(1e-5*normal(r)))
		}
	}
}

// Positive draws from [½, 1½): partial sums grow without cancellation.
func Positive(r *rand.Rand, _ Shape, x []float64) { Uniform(0.5, 1.5)(r, nil, x) }

// Integers draws small integers of both signs: sums and products of a few of
// them are exact, so that a wrong index shows bit for bit.
func Integers(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		x[i] = float64(r.IntN(9) - 4)
	}
}

// Subnormal draws f32 (and bfloat) numbers of both signs round the smallest
// normal number and below it.
func Subnormal(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		x[i] = math.Ldexp(normal(r), -126-r.IntN(12))
	}
}

// Extremes draws ±1 and smallest normal f32 (and bfloat) numbers of both signs,
// and makes one element the largest finite number that bfloat has: the sum of
// any of them is finite, and absorbs or loses most of its terms. A product of
// two buffers overflows where their largest elements meet, and there an oracle
// has to say so.
func Extremes(r *rand.Rand, s Shape, x []float64) { ExtremesUpTo(0x1.fep127)(r, s, x) }

// ExtremesUpTo is [Extremes] with another largest element.
func ExtremesUpTo(largest float64) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		const smallest = 0x1p-126
		OneOf(Choice(-1, 1, -smallest, smallest), math.Copysign(largest, float64(r.IntN(2))-0.5))(r, s, x)
	}
}

// Zeros is all zeros, of both signs.
func Zeros(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		x[i] = math.Copysign(0, float64(r.IntN(2))-0.5)
	}
}

// Uniform draws from [lo, hi).
//
//go:noinline
func Uniform(lo, hi float64) Fill {
	return func(r *rand.Rand, _ Shape, x []float64) {
		for i := range x {
			x[i] = lo + float64((hi-lo)*r.Float64())
		}
	}
}

// Choice draws from the given values.
//
//go:noinline
func Choice(values ...float64) Fill {
	if len(values) == 0 {
		panic("suite: choice of no values")
	}
	return func(r *rand.Rand, _ Shape, x []float64) {
		for i := range x {
			x[i] = values[r.IntN(len(values))]
		}
	}
}

// Every gives all elements the same value.
//
//go:noinline
func Every(value float64) Fill { return Choice(value) }

// AnyBits draws any u32 word, reduced to the width of narrower integers by the
// suite.
func AnyBits(r *rand.Rand, _ Shape, x []float64) {
	for i := range x {
		x[i] = float64(r.Uint32())
	}
}

// OneOf is fill with one element, drawn at random, replaced by value.
//
//go:noinline
func OneOf(fill Fill, value float64) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		fill(r, s, x)
		if len(x) > 0 {
			x[r.IntN(len(x))] = value
		}
	}
}

// Generator is the source of one buffer's elements: it depends on the case,
// the argument and the run's seed, and on nothing else.
func Generator(name, arg string, seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, hash(fmt.Sprintf("%s:%s", name, arg))))
}

// hash is 64-bit FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// most is how many elements the buffers of a case have, or more than any where the specification makes no sense.
func (k *Kernel) most(s Shape) (n int) {
	defer func() {
		if recover() != nil {
			n = math.MaxInt
		}
	}()
	return k.elements(s)
}

// Values is a fill with given elements, and 0 beyond them.
func Values(of ...float64) Fill {
	return func(_ *rand.Rand, _ Shape, x []float64) {
		clear(x)
		copy(x, of)
	}
}

// approach says how inputs come near decisions.
type approach uint8

const (
	unmoved   approach = iota
	allAtOnce          // elements of a part move
	byOne              // one of them, and then another
)

const (
	decisions      = "decisions"
	decisionsByOne = "decisions_by_one"

	mostDecided  = 1 << 14 // elements of the buffers of such a case
	bisections   = 30      // of a line: more than the digits of f32
	toZero       = 4       // one of so many lines leads to zero, near which limits are that no other line would meet,
	nearZero     = 0x1p-20 // or nearly
	smallestJump = 0x1p-12 // of the largest result
	mostLines    = 12      // one after the other
	leastLines   = 2
	questions    = 1 << 20 // times elements, that the lines one after the other may cost
	// operations that all questions of a case may take, about half a second, where the definition counts them
	mostAsked = 1 << 26
)

// nearDecisions are the families that lead to decisions, from the numbers of another.
func (k *Kernel) nearDecisions(first Input) []Input {
	list := []Input{first, first}
	for i := range list {
		in := &list[i]
		in.Name, in.approach, in.Random = []string{decisions, decisionsByOne}[i], allAtOnce+approach(i), false
		in.Only = func(s Shape) bool { return (first.Only == nil || first.Only(s)) && k.elements(s) <= mostDecided }
	}
	return list
}

// NearDecisions reports whether the case's inputs are led to decisions, some of which rounding takes.
func (c Case) NearDecisions() bool { return c.Input.approach != unmoved }

// elements is how many the buffers of a case have.
func (k *Kernel) elements(s Shape) int {
	n := 0
	for _, a := range k.Args {
		if a.Buffer() {
			n += a.Count(s)
		}
	}
	return n
}

// Condition prescribes how much of a buffer's sums cancels. A sum is
//
//	Σ wᵢ·xᵢ   over n terms, with weights that the kernel has from elsewhere,
//
// and its condition
//
//	κ = Σ|wᵢ·xᵢ| / |Σ wᵢ·xᵢ|
//
// is the factor by which a relative error of its terms, or of a partial sum,
// appears in the result. A sum of one term has a condition of 1, whatever is
// prescribed.
type Condition struct {
	Kappa  float64
	Terms  Extent              // n
	Apart  Extent              // elements from one term of a sum to the next; nil: 1
	Weight func(i int) float64 // wᵢ, not 0; nil: 1
	Format oracles.Format      // of the elements
}

// Fill draws the sums of a buffer, one after the other; elements behind the last
// whole sum are normal.
func (c Condition) Fill(r *rand.Rand, s Shape, x []float64) {
	n, apart := c.Terms.Size(s), 1
	if c.Apart != nil {
		apart = c.Apart.Size(s)
	}
	sum := make([]float64, n)
	for ; n > 0 && len(x) >= n*apart; x = x[n*apart:] {
		for j := range apart {
			c.draw(r, sum)
			for i, v := range sum {
				x[j+i*apart] = v
			}
		}
	}
	Normal(r, s, x)
}

// draw makes one sum, its terms in random order. The first half are numbers of
// exponents up to half of that of κ; each of the second takes back its share of
// what the terms before it come to, and the last leaves just Σ|wᵢ·xᵢ|/κ. As every
// term knows the rounded ones before it, κ is met to the rounding of the last.
//
// Source: Ogita, Rump and Oishi, Accurate Sum and Dot Product, 2005, section 6,
// for the two halves.
func (c Condition) draw(r *rand.Rand, x []float64) {
	n, spread := len(x), max(int(math.Log2(c.Kappa)/2), 1)
	var sum, magnitude float64
	for done, i := range r.Perm(n) {
		w := 1.0
		if c.Weight != nil {
			w = c.Weight(i)
		}
		var term float64
		switch left := n - done; {
		case left == 1 && n > 1:
			rest := (magnitude + math.Abs(sum)) / c.Kappa
			term = math.Copysign(rest, float64(r.IntN(2))-0.5) - sum
		case left > n/2:
			term = math.Copysign(math.Ldexp(1+float64(r.Float64()), r.IntN(spread)), float64(r.IntN(2))-0.5)
		default:
			term = -sum * (0.5 + float64(r.Float64())) / float64(left)
		}
		x[i] = c.Format.Round(term / w)
		sum += float64(w * x[i])
		magnitude += math.Abs(w * x[i])
	}
}

// Families whose fills depend on how an argument is laid out: what one row holds, or one token. A row is the last
// extent of an argument, a token one element of its first extent that is not 1. The families name what they do to a
// row, and [Args.Structured] makes fills of that.

// layout is how an argument is divided at a shape.
type layout struct {
	row, token int     // elements
	unread     []Range // elements that nothing may depend on
}

// structure fills an argument that is laid out in some way.
type structure func(r *rand.Rand, s Shape, of layout, x []float64)

// Structured are families with fills for the arguments that hold floats: integers count, or say where something is.
func (as Args) Structured(families []Input) []Input {
	list := make([]Input, len(families))
	for i, in := range families {
		list[i] = in
		if in.structures == nil {
			continue
		}
		list[i].structures, list[i].Fills = nil, Fills{}
		for name, fill := range in.Fills {
			list[i].Fills[name] = fill
		}
		for name, fill := range in.structures {
			a, ok := as.Find(name)
			if _, float := a.Type.Format(); ok && float && a.Buffer() && len(a.Extents) > 0 {
				list[i].Fills[name] = fill.of(a)
			}
		}
	}
	return list
}

// of is the fill of an argument.
func (f structure) of(a Arg) Fill {
	return func(r *rand.Rand, s Shape, x []float64) {
		l := layout{row: max(1, a.Extents[len(a.Extents)-1].Size(s)), token: max(1, len(x)), unread: a.unread(s)}
		for _, e := range a.Extents {
			if n := e.Size(s); n > 1 {
				l.token = max(1, len(x)/n)
				break
			}
		}
		f(r, s, l, x)
	}
}

// scales are the exponents of rows. At some of them squares, products or powers of normal numbers leave the range of
// half or f32, at others only the squares of squares do.
var scales = []int{0, 33, -33, 7, -20, 14, -66, 62, -7, 10, -120, 66, 20, -60, 5, 100}

// scaledRows is fill with each row multiplied by a power of two. The exponents of rows follow each other in scales,
// from a random one on.
func scaledRows(fill Fill) structure {
	return func(r *rand.Rand, s Shape, of layout, x []float64) {
		fill(r, s, x)
		first := r.IntN(len(scales))
		for i := range x {
			x[i] = math.Ldexp(x[i], scales[(first+i/of.row)%len(scales)])
		}
	}
}

// maskedRows is fill with rows in turn all of −∞, of one finite element, and of a block of −∞ at the beginning or at
// the end. A row of its own has a block.
func maskedRows(fill Fill) structure {
	return func(r *rand.Rand, s Shape, of layout, x []float64) {
		fill(r, s, x)
		first := 0
		if len(x) <= of.row {
			first = 2 + r.IntN(2)
		}
		for i := 0; i*of.row < len(x); i++ {
			row := x[i*of.row : min(len(x), (i+1)*of.row)]
			from, to, kept := 0, len(row), -1
			switch (first + i) % 4 {
			case 1:
				kept = r.IntN(len(row))
			case 2:
				to = (len(row) + 1) / 2
			case 3:
				from = len(row) / 2
			}
			for j := from; j < to; j++ {
				if j != kept {
					row[j] = math.Inf(-1)
				}
			}
		}
	}
}

// zeroTokens is fill with every third token zero: the same ones of all arguments that have tokens in common.
func zeroTokens(fill Fill) structure {
	return func(r *rand.Rand, s Shape, of layout, x []float64) {
		fill(r, s, x)
		for i := range x {
			if i/of.token%3 == 1 {
				x[i] = 0
			}
		}
	}
}

// oneRead is fill with one element, drawn at random from those that results may depend on, replaced by value.
func oneRead(fill Fill, value float64) structure {
	return func(r *rand.Rand, s Shape, of layout, x []float64) {
		fill(r, s, x)
		if len(x) == 0 {
			return
		}
		at := r.IntN(len(x))
		for range mostDraws {
			if !slices.ContainsFunc(of.unread, func(u Range) bool { return u.First <= at && at < u.End }) {
				break
			}
			at = r.IntN(len(x))
		}
		x[at] = value
	}
}

// mostDraws is how often an element is drawn until one is read.
const mostDraws = 64

// Ends is fill with a source that often gives its least or its largest number: what a range, a choice or a length is
// drawn from, at both ends.
func Ends(fill Fill) Fill {
	return func(r *rand.Rand, s Shape, x []float64) { fill(rand.New(&endSource{r}), s, x) }
}

// endSource gives a word of zeros in one of four cases, a word of ones in another, and any word in the others.
type endSource struct{ *rand.Rand }

// Uint64 is the next word.
func (s *endSource) Uint64() uint64 {
	switch w := s.Rand.Uint64(); w & 3 {
	case 0:
		return 0
	case 1:
		return math.MaxUint64
	default:
		return w>>2 | s.Rand.Uint64()<<62
	}
}
