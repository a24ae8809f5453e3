package suite

import (
	"math"
	"math/rand/v2"
	"slices"
)

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

// Structured are families with fills for the arguments.
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
			if a, ok := as.Find(name); ok && a.Buffer() && len(a.Extents) > 0 {
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
