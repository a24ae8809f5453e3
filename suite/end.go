package suite

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// End is a point that stands at the end of a launch too large to be held: one of more
// rows than memory has, or than anybody would wait for. Scalars and grid are those of
// the whole launch, and each buffer is as long as that makes it, but only its end is
// there, and only the threadgroups run that it belongs to. Whoever counts in too few
// bits then reaches for what is not there, or leaves out what is.
//
// The oracle is asked about what is there, as if it were all. A device that launches
// whole grids only skips such a case.
type End struct {
	Shape Shape // what is there, in the sizes of buffers and for the oracle
	Of    Shape // axes that the whole launch has in place of those

	// Set gives scalars, by argument or field name, in place of their Value.
	Set map[string]float64
	// Fills are in place of those of the sweep's first family: for what counts from
	// the beginning of the whole, such as numbers of rows.
	Fills Fills
	// Before is, by argument, how many elements of a buffer do not exist in front of
	// those that are there, where that is not just what its first extent that grows
	// adds to them.
	Before map[string]int
	// Skip is how many threadgroups do not run beside those in front of what is there,
	// and Unwritten, by argument, what of an output they would have written.
	Skip      int
	Unwritten map[string][]Range
}

// name is what stands in the case's name for its inputs: the axes that the whole
// launch has, and whether elements of its buffers can be counted in 32 bits.
func (e End) name(k *Kernel) string {
	name, beyond := []string{"end_of"}, false
	for _, a := range k.Axes {
		if n, ok := e.Of[a]; ok {
			name = append(name, fmt.Sprintf("%s_%d", a, n))
		}
	}
	if len(e.Of) == 0 {
		name = append(name, slices.Sorted(maps.Keys(e.Before))...)
	}
	for _, a := range k.Args {
		beyond = beyond || a.Buffer() && e.before(a, e.Shape, e.Shape.With(e.Of))+a.Count(e.Shape) > math.MaxUint32
	}
	if beyond {
		name[0] = "end_past_32_bits_of"
	}
	return strings.Join(name, "_")
}

// Whole is the shape of the launch that the case is, or is the end of.
func (c Case) Whole() Shape { return c.Shape.With(c.end.of()) }

// IsEnd reports whether the case is the end of a launch too large to be held.
func (c Case) IsEnd() bool { return c.end != nil }

func (e *End) of() Shape {
	if e == nil {
		return nil
	}
	return e.Of
}

// ends makes launches of a case those of the whole.
func (c Case) ends(launches []Launch) {
	for i := range launches {
		l := &launches[i]
		part := c.Shape.With(l.Shape)
		l.Shape = c.end.Of.With(l.Shape)
		whole := c.Shape.With(l.Shape)
		l.skip = c.Kernel.Grid.groups(whole) - c.Kernel.Grid.groups(part) + c.end.Skip
		l.before = map[string]int{}
		for _, a := range c.Kernel.Args {
			if a.Buffer() {
				l.before[a.Name] = c.end.before(a, c.Shape, c.Whole())
			}
		}
	}
}

// before is how many elements of a buffer do not exist in front of those that are
// there. Whatever lies outside of the extent that grows has to be one thing.
func (e *End) before(a Arg, part, whole Shape) int {
	if n, ok := e.Before[a.Name]; ok {
		return n
	}
	for i, extent := range a.Extents {
		more := extent.Size(whole) - extent.Size(part)
		if more == 0 {
			continue
		}
		inner := Product(a.Extents[i+1:]...)
		if Product(a.Extents[:i]...).Size(whole) != 1 || inner.Size(whole) != inner.Size(part) {
			panic(fmt.Sprintf("suite: %s has no single end at %v of %v: say what lies before it", a.Name, part, whole))
		}
		return more * inner.Size(part)
	}
	return 0
}

// untouched is what a run of the case must leave of a buffer as it was.
func (c Case) untouched(a Arg) []Range {
	var ranges []Range
	if a.Untouched != nil {
		ranges = a.Untouched(c.Shape)
	}
	if c.end != nil {
		ranges = append(ranges, c.end.Unwritten[a.Name]...)
	}
	return ordered(ranges)
}

// groups is the number of threadgroups of the grid.
func (g Grid) groups(s Shape) int {
	if len(g.Threads) == 0 {
		return Product(g.Threadgroups...).Size(s)
	}
	n := 1
	of := size(g.Of, s)
	for i, threads := range g.Threads {
		n *= Ceil(threads, [...]int{of.X, of.Y, of.Z}[i])(s)
	}
	return n
}

// Before is how many elements of a buffer do not exist in front of those that an
// oracle is given; 0 unless the case is an [End].
func (p *Problem) Before(name string) int { return p.Launches[0].before[name] }

// Preceding is how far along an axis that begins which an oracle is given; 0 unless
// the case is an [End].
func (p *Problem) Preceding(a Axis) int { return a.Size(p.Shape.With(p.end.of())) - a.Size(p.Shape) }

// mostBeforeNear is how much a small launch has along an axis before the end that is there: a count of it fits 16 bits.
const mostBeforeNear = 1 << 8

// nearEnd is the case at the end of a launch that is only a few threadgroups larger than what is there. It reports
// false where scalars or buffers are said to be those of the large launch alone.
func (c Case) nearEnd() (near Case, ok bool) {
	if len(c.end.Set) > 0 || len(c.end.Before) > 0 || len(c.end.Unwritten) > 0 || len(c.end.Of) == 0 {
		return c, false
	}
	end := *c.end
	end.Of = Shape{}
	for a, n := range c.end.Of {
		more := n - a.Size(end.Shape)
		end.Of[a] = a.Size(end.Shape) + min(more&-more, mostBeforeNear) // the same powers of two divide both
	}
	near = c
	near.end, near.blamed = &end, false
	return near, near.Kernel.check(near.Whole()) == nil
}
