// Package growth finds the smallest launch of a kernel in which an index has too few bits.
//
// A launch grows along one axis after the other from a point of a sweep, then along two axes and along all of them, up
// to their limits. Each step doubles an axis, so that multiples stay multiples, and the steps form a path. The kernel's
// addresses are evaluated at the end of a path ([metalrun.IndexWidths]). If something wraps there, bisection finds the
// first step at which it does, and then the smallest size between that step and the one before.
//
// An axis has the limit that the specification declares. Without one, memory limits it. A launch is possible only if
// the host accepts it and its threadgroups have the memory that they take.
//
// The rule of the layer: growth knows points and dispatches, and nothing of suite.
package growth

import (
	"slices"

	"metalconform/metalrun"
)

// Limits of launches.
const (
	// MostElements is how many elements a buffer may have that grows along an axis without a declared limit: as many as
	// unsigned integers of 32 bits count. An index of that type is right up to there, and many kernels have no other.
	// A buffer of half of that is 8 GiB of float, which hosts do have: a signed index of 32 bits ends before it.
	MostElements = 1 << 32
	// MostBytes is what the buffers of such a launch may take together: more than most Macs have.
	MostBytes = 64 << 30
	// MostDeclared is what buffers may take together whose axes all have declared limits: the largest Mac's memory.
	MostDeclared = 512 << 30

	// MemoryAlone is the limit of an axis along which launches are as large as MostDeclared allows. Scalars of 32 bits
	// hold no more. An axis that takes no memory does not grow.
	MemoryAlone = 1<<32 - 1

	mostThreadgroupMemory = 32 << 10
	mostThreads           = 1024
	mostPairs             = 10 // of axes
)

// Launch is what a kernel is given at a point.
type Launch struct {
	Dispatches []metalrun.Dispatch // without memory
	Elements   int                 // of the largest buffer
	Bytes      int                 // of all buffers
}

// Space is where a kernel is launched.
type Space struct {
	Sweep  [][]int // points at which nothing is too large, the first of them where growth begins
	Limits []int   // of the axes; 0 where none is declared
	// Launch is what the kernel is given at a point; false where its host refuses that.
	Launch func(point []int) (Launch, bool)
}

// Found is an index that is too narrow.
type Found struct {
	metalrun.NarrowIndex
	Point    []int // the smallest at which it is
	Bounded  bool  // each axis that has grown there has a limit other than memory
	Elements int   // of the largest buffer there
}

// Smallest finds an index that is too narrow, and the smallest launch in which it is; nil if there is none.
func Smallest(w *metalrun.IndexWidths, s Space) *Found {
	g := &growth{widths: w, Space: s}
	for _, point := range s.Sweep {
		l, ok := s.Launch(point)
		if !ok {
			continue
		}
		for _, d := range l.Dispatches {
			w.Expect(d)
		}
	}
	for _, axes := range g.directions() {
		if found := g.along(axes); found != nil {
			return found
		}
	}
	return nil
}

// growth is a search under way.
type growth struct {
	Space
	widths *metalrun.IndexWidths
}

// directions are the sets of axes that a launch grows along.
func (g *growth) directions() (list [][]int) {
	n := len(g.Limits)
	var all []int
	for i := range n {
		list, all = append(list, []int{i}), append(all, i)
	}
	for i := range n {
		for j := range i {
			if len(list) < n+mostPairs {
				list = append(list, []int{j, i})
			}
		}
	}
	if n > 2 {
		list = append(list, all)
	}
	return list
}

// along grows a launch along axes in turn, and looks at the last point that is possible. What wraps beyond a point that
// is not may hide that from the machine: the search goes on below that point.
func (g *growth) along(axes []int) *Found {
	path := g.path(axes)
	for len(path) > 1 {
		last := len(path) - 1
		switch n, possible := g.wraps(path[last]); {
		case possible && n == nil:
			return nil
		case !possible:
			path = path[:last]
			continue
		}
		least := g.below(path)
		if _, possible := g.wraps(path[least]); possible {
			return g.between(path[least], path[least+1])
		}
		path = path[:least]
	}
	return nil
}

// path are the points from the first of the sweep on, each larger than the one before along one of the axes.
func (g *growth) path(axes []int) [][]int {
	path := [][]int{g.Sweep[0]}
	last, ok := g.Launch(path[0])
	for turn, stuck := 0, 0; ok && stuck < len(axes); turn++ {
		axis := axes[turn%len(axes)]
		next := slices.Clone(path[len(path)-1])
		if next[axis] *= 2; g.Limits[axis] > 0 {
			next[axis] = min(next[axis], g.Limits[axis])
		}
		stuck++
		if next[axis] <= path[len(path)-1][axis] {
			continue
		}
		l, holds := g.holds(next)
		if !holds || (g.Limits[axis] == 0 || g.Limits[axis] >= MemoryAlone) && l.Bytes <= last.Bytes {
			continue
		}
		path, last, stuck = append(path, next), l, 0
	}
	return path
}

// holds is the launch at a point, if the host accepts it and there is memory for it.
func (g *growth) holds(point []int) (l Launch, ok bool) {
	if l, ok = g.Launch(point); !ok {
		return l, false
	}
	if g.declared(point) {
		ok = l.Bytes <= MostDeclared
	} else {
		ok = l.Bytes <= MostBytes && l.Elements <= MostElements
	}
	for _, d := range l.Dispatches {
		shared := 0
		for _, n := range d.ThreadgroupMemory {
			shared += n
		}
		ok = ok && shared <= mostThreadgroupMemory && d.Check(mostThreads) == nil
	}
	return l, ok
}

// declared reports whether only axes with declared limits are larger than at the beginning.
func (g *growth) declared(point []int) bool {
	for i, n := range point {
		if g.Limits[i] == 0 && n > g.Sweep[0][i] {
			return false
		}
	}
	return true
}

// wraps is the first index that is too narrow at a point. It reports false where no host makes the launch.
func (g *growth) wraps(point []int) (n *metalrun.NarrowIndex, possible bool) {
	l, ok := g.holds(point)
	if !ok {
		return nil, false
	}
	for _, d := range l.Dispatches {
		found, possible := g.widths.Find(d, g.bounded(point))
		if !possible {
			return nil, false
		}
		if n == nil {
			n = found
		}
	}
	return n, true
}

// bounded reports whether a size is declared for each axis that has grown at a point, and not memory alone.
func (g *growth) bounded(point []int) bool {
	for axis, n := range point {
		if n > g.Sweep[0][axis] && (g.Limits[axis] == 0 || g.Limits[axis] >= MemoryAlone) {
			return false
		}
	}
	return true
}

// below is the last point of a path at which no index is too narrow, if that is so of the end of the path.
func (g *growth) below(path [][]int) int {
	least, most := 0, len(path)-1
	for least+1 < most {
		if middle := (least + most) / 2; g.narrow(path[middle]) {
			most = middle
		} else {
			least = middle
		}
	}
	return least
}

// narrow reports whether an index is too narrow at a point.
func (g *growth) narrow(point []int) bool {
	n, possible := g.wraps(point)
	return possible && n != nil
}

// between finds the smallest point, between two that differ along one axis, at which an index is too narrow.
func (g *growth) between(below, above []int) *Found {
	axis := 0
	for above[axis] == below[axis] {
		axis++
	}
	smallest := slices.Clone(above)
	for least, most := below[axis], above[axis]; least+1 < most; {
		middle := slices.Clone(smallest)
		middle[axis] = least + (most-least)/2
		if g.narrow(middle) {
			smallest, most = middle, middle[axis]
		} else {
			least = middle[axis]
		}
	}
	n, _ := g.wraps(smallest)
	l, _ := g.Launch(smallest)
	return &Found{NarrowIndex: *n, Point: smallest, Bounded: g.bounded(smallest), Elements: l.Elements}
}
