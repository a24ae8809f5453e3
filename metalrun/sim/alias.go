package sim

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"unsafe"

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

// merge finds the bindings of a dispatch that share bytes.
func merge(d metalrun.Dispatch) merged {
	m := merged{Dispatch: d}
	if !anyOverlap(d.Bindings) {
		return m
	}
	m.Bindings = slices.Clone(d.Bindings)
	for _, group := range overlaps(d.Bindings) {
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

// anyOverlap reports whether some bindings share bytes. Nearly no dispatch has such, and finding that out allocates
// nothing.
func anyOverlap(bindings []metalrun.Binding) bool {
	for i, a := range bindings {
		for _, b := range bindings[:i] {
			if unsafe.SliceData(a.Data) == unsafe.SliceData(b.Data) && len(a.Data) == len(b.Data) &&
				!a.Inline && !b.Inline && max(a.Offset, b.Offset) < min(a.Offset+a.Length, b.Offset+b.Length) {
				return true
			}
		}
	}
	return false
}

// overlaps are the groups of bindings that share bytes, by their places in the list. Each group is in the order of
// its offsets; of those with one offset the longest comes first.
func overlaps(bindings []metalrun.Binding) (groups [][]int) {
	var order []int
	for i, b := range bindings {
		if !b.Inline && b.Length > 0 {
			order = append(order, i)
		}
	}
	memory := func(i int) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(bindings[i].Data))) }
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := bindings[i], bindings[j]
		return cmp.Or(cmp.Compare(memory(i), memory(j)), len(a.Data)-len(b.Data), a.Offset-b.Offset, b.Length-a.Length)
	})
	for len(order) > 0 {
		n, b := 1, bindings[order[0]]
		for end := b.Offset + b.Length; n < len(order); n++ {
			next := bindings[order[n]]
			if memory(order[n]) != memory(order[0]) || len(next.Data) != len(b.Data) || next.Offset >= end {
				break
			}
			end = max(end, next.Offset+next.Length)
		}
		if n > 1 {
			groups = append(groups, order[:n])
		}
		order = order[n:]
	}
	return groups
}

// share gives the bindings that were merged what their memory has got.
func (m merged) share(given metalrun.Dispatch) {
	at := func(list []metalrun.Binding, index int) metalrun.Binding {
		return list[slices.IndexFunc(list, func(b metalrun.Binding) bool { return b.Index == index })]
	}
	for _, a := range m.aliases {
		from, to := at(m.Bindings, a.Of), at(given.Bindings, a.Index)
		if to.Written != nil && to.Written != from.Written {
			*to.Written = *from.Written
		}
		if to.Exact != nil && to.Exact != from.Exact {
			*to.Exact = *from.Exact
		}
	}
}

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
	if k.mergedPrograms.of == nil {
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
