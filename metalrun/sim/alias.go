package sim

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
)

// merged is a dispatch in which bindings whose windows overlap are one memory. The first of them that begins the
// memory has all of it; the others are empty, and the kernel's pointers to them lead into the first.
type merged struct {
	metalrun.Dispatch
	aliases []ir.Alias
}

// merge finds the arguments of the kernel that a dispatch binds to the same bytes.
func (k *kernel) merge(d metalrun.Dispatch) merged {
	m := merged{Dispatch: d}
	if !anyOverlap(d.Bindings) {
		return m
	}
	m.Bindings = slices.Clone(d.Bindings)
	for _, group := range k.overlaps(d.Bindings) {
		first := &m.Bindings[group[0]]
		start, before := first.Offset, first.Before
		for _, i := range group[1:] {
			b := &m.Bindings[i]
			first.Length = max(first.Length, b.Offset+b.Length-start)
			first.Undefined = first.Undefined && b.Undefined
			first.Exact, first.Written = cmp.Or(first.Exact, b.Exact), cmp.Or(first.Written, b.Written)
			if first.Free == nil {
				first.Free = b.Free
			}
			m.aliases = append(m.aliases, ir.Alias{Index: b.Index, Of: first.Index,
				Offset: int64(b.Offset - start - b.Before + before)})
			*b = metalrun.Binding{Index: b.Index, Data: b.Data, Offset: b.Offset}
		}
	}
	return m
}

// anyOverlap reports whether some bindings overlap. Most dispatches have none, and this allocates nothing.
func anyOverlap(bindings []metalrun.Binding) bool {
	for i, b := range bindings {
		if slices.ContainsFunc(bindings[:i], b.Overlaps) {
			return true
		}
	}
	return false
}

// overlaps are the groups of bindings that overlap, by their places in the list. The kernel declares all of them. Each
// group is in the order of its offsets; of those with one offset the longest comes first.
func (k *kernel) overlaps(bindings []metalrun.Binding) (groups [][]int) {
	var order []int
	for i, b := range bindings {
		if slices.ContainsFunc(k.program.Source.Args, func(a ir.Arg) bool {
			return !a.Threadgroup && !a.Texture && a.Index == b.Index
		}) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := bindings[i], bindings[j]
		return cmp.Or(a.Offset-b.Offset, b.Length-a.Length)
	})
	for _, i := range order {
		// groups of one memory are apart, and only the last of them can reach this offset
		n := slices.IndexFunc(groups, func(group []int) bool {
			return slices.ContainsFunc(group, func(j int) bool { return bindings[i].Overlaps(bindings[j]) })
		})
		if n < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[n] = append(groups[n], i)
		}
	}
	return slices.DeleteFunc(groups, func(group []int) bool { return len(group) < 2 })
}

// mostMerged is how many merged programs a kernel keeps. Windows that move from launch to launch need one each.
const mostMerged = 64

// mergedPrograms are the programs for launches that bind one memory several times, by the aliases.
type mergedPrograms struct {
	sync.Mutex
	of map[string]*simt.Program
}

// forLaunch is the kernel's program for a dispatch: its pointers to one memory are merged.
func (k *kernel) forLaunch(m merged) *simt.Program {
	if len(m.aliases) == 0 {
		return k.program
	}
	k.mergedPrograms.Lock()
	defer k.mergedPrograms.Unlock()
	key := fmt.Sprint(m.aliases)
	if n := len(k.mergedPrograms.of); n == 0 || n >= mostMerged && k.mergedPrograms.of[key] == nil {
		k.mergedPrograms.of = map[string]*simt.Program{}
	}
	p := k.mergedPrograms.of[key]
	if p == nil {
		p = simt.Compile(ir.Merge(k.program.Source, m.aliases), k.program.Given)
		k.mergedPrograms.of[key] = p
	}
	return p
}

// place is where element off of a binding lies after the merge: the index of the buffer, and the offset in it.
func (m merged) place(given metalrun.Dispatch, index, off int) (int, int) {
	for _, a := range m.aliases {
		if a.Index != index {
			continue
		}
		at := func(index int) metalrun.Binding {
			i := slices.IndexFunc(given.Bindings, func(b metalrun.Binding) bool { return b.Index == index })
			return given.Bindings[i]
		}
		return a.Of, off + at(index).Offset - at(a.Of).Offset
	}
	return index, off
}
