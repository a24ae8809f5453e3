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
		case !p.Reference:
			facts = append(facts, s.elements(p))
		}
		if p.output {
			facts = append(facts, fact{"-output " + p.Name, true})
		}
	}
	facts = append(facts, s.contents()...)
	for _, name := range slices.Sorted(maps.Keys(g.Args)) {
		if strings.HasSuffix(name, "]") && s.Knows(name) {
			facts = append(facts, stated(name, g.Args[name], true))
		}
	}
	for _, c := range s.constants {
		if c.value != "" {
			facts = append(facts, fact{"-constant " + c.Name + "=" + c.value, c.given})
		}
	}
	return distinctFacts(facts)
}

// contents are what those of the buffers are drawn by.
func (s *Stranger) contents() []fact {
	some := func(of func(parameter) bool) bool { return slices.ContainsFunc(s.params, of) }
	integers := some(func(p parameter) bool { return p.holds(integer) })
	floats := some(func(p parameter) bool { return p.holds(floating, brain) })
	drawn := floats || some(func(p parameter) bool { return p.holds(boolean) || p.holds(integer) && !p.table() })
	g := s.given
	var facts []fact
	if integers {
		facts = append(facts, fact{fmt.Sprintf("-size %d", g.size()), g.Size != 0})
	}
	if floats {
		of := g.floats()
		facts = append(facts, fact{"-range " + spelt(of.Low) + "," + spelt(of.High), g.Floats != nil})
	}
	if drawn {
		facts = append(facts, fact{fmt.Sprintf("-seed %d", g.seed()), g.Seed != nil})
	}
	return facts
}

// elements is the size of a buffer: of its own if it is stated so, or if it
// differs from that of most.
func (s *Stranger) elements(p parameter) fact {
	n, given := s.count(p)
	_, own := s.given.Args[p.Name]
	if own || !given && n == mostBytes/p.Size {
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
		if name := m.path; !seen[name] {
			x, given := g.value(name, m.kind)
			facts = append(facts, stated(name, x, given))
			seen[name] = true
		}
	}
	return facts
}

// stated is the value of a scalar.
func stated(name string, x float64, given bool) fact {
	return fact{"-arg " + name + "=" + spelt(x), given}
}

// spelt is x so that a flag reads it back exactly.
func spelt(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// extent spells a size without the dimensions at its end that are 1.
func extent(s metalrun.Size) string {
	text := fmt.Sprintf("%d,%d,%d", s.X, s.Y, s.Z)
	return strings.TrimSuffix(strings.TrimSuffix(text, ",1"), ",1")
}
