package suite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// StrangerLaunch is one launch of a kernel, with what it takes for granted as
// flags of conform check.
type StrangerLaunch struct {
	Given   []string // stated
	Guessed []string
	grid    metalrun.Dispatch // without memory
	of      *Stranger
}

// Launches are the launches that show most, within what is given: one threadgroup,
// several, and where threads do not depend on each other a grid that ends within a
// threadgroup. of is the size of a threadgroup.
func (s *Stranger) Launches(of metalrun.Size) []StrangerLaunch {
	var list []StrangerLaunch
	for _, d := range s.grids(of) {
		d.ThreadgroupMemory = s.memory()
		l := StrangerLaunch{of: s, grid: d}
		for _, f := range s.facts(d) {
			if f.given {
				l.Given = append(l.Given, f.flag)
			} else {
				l.Guessed = append(l.Guessed, f.flag)
			}
		}
		list = append(list, l)
	}
	return list
}

// grids are the geometries.
func (s *Stranger) grids(of metalrun.Size) []metalrun.Dispatch {
	g := s.given
	if g.Threadgroups != (metalrun.Size{}) || g.Threads != (metalrun.Size{}) {
		return []metalrun.Dispatch{{Threadgroups: g.Threadgroups, Threads: g.Threads, ThreadsPerThreadgroup: of}}
	}
	list := []metalrun.Dispatch{{Threadgroups: metalrun.Size{X: 1, Y: 1, Z: 1}, ThreadsPerThreadgroup: of}}
	several := s.threadgroups()
	if several.Count() == 1 {
		return list
	}
	list = append(list, metalrun.Dispatch{Threadgroups: several, ThreadsPerThreadgroup: of})
	if s.independent() {
		list = append(list, metalrun.Dispatch{Threads: ragged(several, of), ThreadsPerThreadgroup: of})
	}
	return list
}

// independent reports whether the threads know nothing but their positions in the
// grid and share no memory of a threadgroup, so that a host may launch any number
// of them.
func (s *Stranger) independent() bool {
	return s.Info.StaticThreadgroupMemory == 0 && len(s.memory()) == 0 && !s.signature.simd &&
		s.signature.readsOnly("thread_position_in_grid", "threads_per_grid")
}

// ragged is a grid of whole threadgroups short of a third of the last along each
// axis.
func ragged(groups, of metalrun.Size) metalrun.Size {
	return metalrun.Size{X: groups.X*of.X - of.X/3, Y: groups.Y*of.Y - of.Y/3, Z: groups.Z*of.Z - of.Z/3}
}

// Threadgroups are the sizes of a threadgroup that the kernel may be made for, the
// likeliest first: what is given, or what its source says, or 256 threads and, if
// their number can matter to it, smaller powers of two down to a simdgroup. They
// extend along the axes that the kernel reads positions on: threads that differ
// along another do the same work. maxThreads is the kernel's limit on the device.
func (s *Stranger) Threadgroups(maxThreads int) []metalrun.Size {
	if of := s.given.ThreadsPerThreadgroup; of != (metalrun.Size{}) {
		return []metalrun.Size{of}
	}
	counts := []int{256, 128, 64, 32}
	reads := s.signature.reads
	axes := s.signature.axes("thread_position_in_grid", "thread_position_in_threadgroup")
	switch {
	case s.Info.MaxThreads > 0:
		counts = []int{maxThreads}
	case s.independent() && len(axes) > 0:
		counts = counts[:1]
	case len(axes) > 0 || reads["thread_index_in_threadgroup"] || reads["simdgroup_index_in_threadgroup"] || reads["quadgroup_index_in_threadgroup"]:
	case s.signature.simd || reads["thread_index_in_simdgroup"] || reads["thread_index_in_quadgroup"]:
		counts = []int{32}
	default:
		counts = []int{1}
	}
	var sizes []metalrun.Size
	for _, n := range counts {
		sizes = append(sizes, spread(n, axes))
	}
	return sizes
}

// spread is n threads along one axis, x if there is none, or the largest power of
// two that is no more along several.
func spread(n int, axes []int) metalrun.Size {
	size := [3]int{1, 1, 1}
	switch len(axes) {
	case 0:
		size[0] = n
	case 1:
		size[axes[0]] = n
	default:
		for i := 0; 2*size[0]*size[1]*size[2] <= n; i++ {
			size[axes[i%len(axes)]] *= 2
		}
	}
	return metalrun.Size{X: size[0], Y: size[1], Z: size[2]}
}

// threadgroups is a grid of several threadgroups along the axes that the kernel
// can tell them apart on.
func (s *Stranger) threadgroups() metalrun.Size {
	axes := s.signature.axes("thread_position_in_grid", "threadgroup_position_in_grid")
	counts := [][]int{{}, {4}, {3, 2}, {2, 2, 2}}[len(axes)]
	size := [3]int{1, 1, 1}
	for i, axis := range axes {
		size[axis] = counts[i]
	}
	return metalrun.Size{X: size[0], Y: size[1], Z: size[2]}
}

// allMemory is how much threadgroup memory a threadgroup can have, in bytes.
const allMemory = 32 << 10

// memory is the lengths of the threadgroup arguments: as given, and otherwise all
// that there is in equal parts.
func (s *Stranger) memory() []int {
	var lengths []int
	unknown := 0
	left := allMemory - roundUp(s.Info.StaticThreadgroupMemory, 16)
	for _, p := range s.params {
		if p.Kind != metalrun.ThreadgroupArg {
			continue
		}
		for len(lengths) <= p.Index {
			lengths = append(lengths, 0)
		}
		if n, ok := s.given.Memory[p.Index]; ok {
			lengths[p.Index] = n
			left -= roundUp(n, 16)
		} else {
			unknown++
		}
	}
	for _, p := range s.params {
		if _, ok := s.given.Memory[p.Index]; p.Kind == metalrun.ThreadgroupArg && !ok {
			lengths[p.Index] = max(left/unknown/16*16, 0)
		}
	}
	return lengths
}

// facts are what a launch takes for granted.
func (s *Stranger) facts(d metalrun.Dispatch) []fact {
	g := s.given
	grid := fact{"-grid " + extent(d.Threadgroups), g.Threadgroups != (metalrun.Size{})}
	if d.Threads != (metalrun.Size{}) {
		grid = fact{"-total " + extent(d.Threads), g.Threads != (metalrun.Size{})}
	}
	facts := []fact{grid, {"-threads " + extent(d.ThreadsPerThreadgroup), g.ThreadsPerThreadgroup != (metalrun.Size{})}}
	for _, p := range s.params {
		switch {
		case p.Kind == metalrun.ThreadgroupArg:
			_, given := g.Memory[p.Index]
			facts = append(facts, fact{fmt.Sprintf("-local %d=%d", p.Index, d.ThreadgroupMemory[p.Index]), given})
		case p.scalar():
			facts = append(facts, p.facts(g)...)
		case !p.reference:
			facts = append(facts, s.elements(p))
		}
		if p.output {
			facts = append(facts, fact{"-output " + p.Name, true})
		}
	}
	if slices.ContainsFunc(s.params, parameter.integers) {
		facts = append(facts, fact{fmt.Sprintf("-size %d", g.size()), g.Size != 0})
	}
	for _, name := range slices.Sorted(maps.Keys(g.Args)) {
		if strings.HasSuffix(name, "]") && s.Knows(name) {
			facts = append(facts, stated(name, g.Args[name], true))
		}
	}
	for _, c := range s.constants {
		if c.value != "" {
			facts = append(facts, fact{"-constant " + c.name + "=" + c.value, c.given})
		}
	}
	return distinctFacts(facts)
}

// elements is the size of a buffer: of its own if it is stated so, or if it
// differs from that of most.
func (s *Stranger) elements(p parameter) fact {
	n, given := s.count(p)
	_, own := s.given.Args[p.Name]
	if own || !given && n == mostBytes/p.size {
		return fact{fmt.Sprintf("-arg %s=%d", p.Name, n), given}
	}
	return fact{fmt.Sprintf("-elements %d", n), given}
}

// distinctFacts drops what was said before.
func distinctFacts(facts []fact) []fact {
	var kept []fact
	for _, f := range facts {
		if !slices.Contains(kept, f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// facts are the values that a scalar argument passes.
func (p parameter) facts(g *Given) []fact {
	var facts []fact
	seen := map[string]bool{}
	for _, m := range p.scalars {
		if name := p.path(m); !seen[name] {
			x, given := g.value(name, m.scalar)
			facts = append(facts, stated(name, x, given))
			seen[name] = true
		}
	}
	return facts
}

// stated is the value of a scalar.
func stated(name string, x float64, given bool) fact {
	return fact{"-arg " + name + "=" + strconv.FormatFloat(x, 'g', -1, 64), given}
}

// extent spells a size without the dimensions at its end that are 1.
func extent(s metalrun.Size) string {
	text := fmt.Sprintf("%d,%d,%d", s.X, s.Y, s.Z)
	return strings.TrimSuffix(strings.TrimSuffix(text, ",1"), ",1")
}
