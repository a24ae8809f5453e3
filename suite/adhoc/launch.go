package adhoc

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Launch is one launch of a kernel, with what it takes for granted as
// flags of conform check.
type Launch struct {
	Given   []string // stated
	Guessed []string
	grid    metalrun.Dispatch // without memory
	of      *Kernel
}

// Launches are the launches that show most, within what is stated: one threadgroup,
// several, and where threads do not depend on each other, a grid that ends within a
// threadgroup. of is the size of a threadgroup.
func (k *Kernel) Launches(of metalrun.Size) []Launch {
	var list []Launch
	for _, d := range k.grids(of) {
		d.ThreadgroupMemory = k.memory()
		list = append(list, k.launchOf(d))
	}
	return list
}

// launchOf is a launch with a grid.
func (k *Kernel) launchOf(d metalrun.Dispatch) Launch {
	l := Launch{of: k, grid: d}
	for _, f := range k.facts(d) {
		if f.given {
			l.Given = append(l.Given, f.flag)
		} else {
			l.Guessed = append(l.Guessed, f.flag)
		}
	}
	return l
}

// Again is the launch with what its kernel knows by now.
func (l Launch) Again() Launch { return l.of.launchOf(l.grid) }

// Corner is the launch with the first threadgroup, its neighbours and the last alone.
func (l Launch) Corner() Launch {
	l.grid.Corner = true
	return l
}

// InPart reports whether it is such a launch.
func (l Launch) InPart() bool { return l.grid.Corner }

// Narrow is the launch with one threadgroup along some axes, as long as nobody has stated the grid.
func (l Launch) Narrow(along [3]bool) (Launch, bool) {
	if l.of.spec.Threadgroups != (metalrun.Size{}) || l.of.spec.Threads != (metalrun.Size{}) {
		return l, false
	}
	g, of := l.grid.Grid(), l.grid.ThreadsPerThreadgroup
	groups, threads := [3]*int{&g.X, &g.Y, &g.Z}, [3]*int{&l.grid.Threads.X, &l.grid.Threads.Y, &l.grid.Threads.Z}
	size := [3]int{of.X, of.Y, of.Z}
	for axis := range along {
		if along[axis] {
			*groups[axis], *threads[axis] = 1, min(*threads[axis], size[axis])
		}
	}
	if l.grid.Threads == (metalrun.Size{}) {
		l.grid.Threadgroups = g
	}
	return l.of.launchOf(l.grid), true
}

// Unsplit is the launch with one threadgroup along those of some axes that the kernel leaves whole, if it divides
// positions along another of them, where a host has put several axes of its data.
func (l Launch) Unsplit(along [3]bool) (Launch, bool) {
	split, whole := false, [3]bool{}
	for axis := range along {
		split = split || along[axis] && l.of.split[axis]
		whole[axis] = along[axis] && !l.of.split[axis]
	}
	if !split || whole == [3]bool{} {
		return l, false
	}
	return l.Narrow(whole)
}

// Unguarded are launches with one threadgroup along one of some axes on which the kernel compares no position with
// anything, as long as there are several along others: a host may know that there is one.
func (l Launch) Unguarded(along [3]bool) (list []Launch) {
	g := l.grid.Grid()
	several := [3]bool{g.X > 1, g.Y > 1, g.Z > 1}
	for axis := range along {
		others := several
		others[axis] = false
		if along[axis] && several[axis] && !l.of.guarded[axis] && others != [3]bool{} {
			var only [3]bool
			only[axis] = true
			if narrow, ok := l.Narrow(only); ok {
				list = append(list, narrow)
			}
		}
	}
	return list
}

// Of is the size of its threadgroups.
func (l Launch) Of() metalrun.Size { return l.grid.ThreadsPerThreadgroup }

// Kernel is what it launches, with all guesses.
func (l Launch) Kernel() Kernel { return *l.of }

// In is the launch in threadgroups of another size.
func (l Launch) In(of metalrun.Size) Launch {
	if l.grid.Threads != (metalrun.Size{}) {
		l.grid.Threadgroups, l.grid.Threads = l.grid.Grid(), metalrun.Size{}
	}
	l.grid.ThreadsPerThreadgroup = of
	return l.of.launchOf(l.grid)
}

// Grid is the flag that states the grid.
func (l Launch) Grid() string { return l.of.grid(l.grid).flag }

// Dispatch is the launch with memory that has the same contents each time. Until the next dispatch of its store,
// or of the kernel if that has none, it is that launch's.
func (l Launch) Dispatch() metalrun.Dispatch {
	k, d := l.of, l.grid
	room, taken := k.room(), 0
	for _, p := range k.params {
		if p.Kind == metalrun.TextureArg {
			d.Textures = append(d.Textures, k.textures(p)...)
		}
		if p.Kind != metalrun.BufferArg {
			continue
		}
		n, _ := k.count(p)
		if p.behind == 0 {
			taken = roundUp(taken, boundary)
			d.Bindings = append(d.Bindings, metalrun.Binding{Index: p.Index, Undefined: p.output,
				Inline: p.scalar() && n*p.Size <= mostInline})
		}
		b := &d.Bindings[len(d.Bindings)-1]
		begin := taken - len(b.Data)
		k.fill(p, room[taken:taken+n*p.Size])
		taken += n * p.Size
		if p.behind > 0 {
			end := begin + roundUp(taken-begin, p.Align) // where the struct does
			clear(room[taken:end])
			taken, b.Inline = end, false
		}
		b.Data = room[begin:taken:taken]
		b.Length = len(b.Data)
	}
	return d
}

// mostInline is the number of bytes that setBytes takes.
const mostInline = 4096

// facts are what a launch takes for granted.
func (k *Kernel) facts(d metalrun.Dispatch) []fact {
	spec := k.spec
	facts := []fact{k.grid(d),
		{"-threads " + extent(d.ThreadsPerThreadgroup), spec.ThreadsPerThreadgroup != (metalrun.Size{})}}
	for _, p := range k.params {
		switch {
		case p.Kind == metalrun.ThreadgroupArg:
			_, given := spec.Memory[p.Index]
			facts = append(facts, fact{fmt.Sprintf("-local %d=%d", p.Index, d.ThreadgroupMemory[p.Index]), given})
		case p.scalar():
			facts = append(facts, k.values(p)...)
		case p.Kind == metalrun.BufferArg && !p.Reference && !p.record:
			facts = append(facts, k.elements(p))
		}
		facts = append(facts, k.sizes(p)...)
		if p.output {
			facts = append(facts, fact{"-output " + p.Name, true})
		}
	}
	facts = append(facts, k.contents()...)
	for _, name := range slices.Sorted(maps.Keys(spec.Args)) {
		if strings.HasSuffix(name, "]") && k.Knows(name) {
			facts = append(facts, stated(name, spec.Args[name], true))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(spec.guesses)) {
		if strings.HasSuffix(name, "]") {
			facts = append(facts, stated(name, spec.guesses[name], false))
		}
	}
	for _, c := range k.constants {
		if c.value != "" {
			facts = append(facts, fact{"-constant " + c.Name + "=" + c.value, c.given})
		}
	}
	return distinctFacts(facts)
}

// grid is the fact of a launch's grid.
func (k *Kernel) grid(d metalrun.Dispatch) fact {
	if d.Threads != (metalrun.Size{}) {
		return fact{"-total " + extent(d.Threads), k.spec.Threads != (metalrun.Size{})}
	}
	return fact{"-grid " + extent(d.Threadgroups), k.spec.Threadgroups != (metalrun.Size{})}
}

// contents are the facts that the contents of buffers are drawn by.
func (k *Kernel) contents() []fact {
	some := func(of func(parameter) bool) bool { return slices.ContainsFunc(k.params, of) }
	integers := some(func(p parameter) bool { return p.holds(integer) || p.counts })
	floats := some(func(p parameter) bool { return p.holds(floating, brain) })
	drawn := floats || some(func(p parameter) bool { return p.holds(boolean) || p.holds(integer) && !p.table() })
	spec := k.spec
	var facts []fact
	if integers {
		facts = append(facts, fact{fmt.Sprintf("-size %d", spec.size()), spec.Size != 0})
	}
	if floats {
		of := spec.floats()
		facts = append(facts, fact{"-range " + spelt(of.Low) + "," + spelt(of.High), spec.Floats != nil})
	}
	if drawn {
		facts = append(facts, fact{fmt.Sprintf("-seed %d", spec.seed()), spec.Seed != nil})
	}
	return facts
}

// elements is the size of a buffer, as a flag of its own if the size is stated for
// that buffer or is not that of most others.
func (k *Kernel) elements(p parameter) fact {
	n, given := k.count(p)
	_, own := k.spec.Args[p.Name]
	_, grown := k.grown[p.Name]
	if own || grown || !given && n < defaultElements {
		return fact{fmt.Sprintf("-arg %s=%d", p.Name, n), given}
	}
	return fact{fmt.Sprintf("-elements %d", n), given}
}

// distinctFacts drops repetitions.
func distinctFacts(facts []fact) []fact {
	seen := make(map[fact]bool, len(facts))
	var kept []fact
	for _, f := range facts {
		if !seen[f] {
			kept, seen[f] = append(kept, f), true
		}
	}
	return kept
}

// values are the facts of what a scalar argument passes.
func (k *Kernel) values(p parameter) []fact {
	var facts []fact
	seen := map[string]bool{}
	for _, m := range p.scalars {
		name := m.path
		if seen[name] {
			continue
		}
		seen[name] = true
		x, given := k.spec.value(name, m.kind)
		if m.Count == 1 && m.kind == integer {
			x = k.integer(name, 0, place{p.Index, m.Offset})
		}
		facts = append(facts, stated(name, x, given))
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
