package guard

import (
	"cmp"
	"slices"
	"sync"

	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Report is what a launch has accessed, and what it should not have accessed.
type Report struct {
	mu        sync.Mutex
	accessed  map[place]*spans
	tolerated map[fault]*Tolerated
}

// place is a site and the buffer that it has accessed.
type place struct{ site, buffer int }

// fault is a site and what is wrong with its accesses.
type fault struct {
	site int
	kind machine.FaultKind
}

// Accessed is what a site has accessed in a buffer.
type Accessed struct {
	Pos           syntax.Pos
	Index         int // in the table of buffers
	Write, Atomic bool
	Spans         []Span // in ascending order, apart
}

// Tolerated is the first of the wrong accesses of a site.
type Tolerated struct {
	*machine.Fault
	Times int64 // that lanes have made such accesses
}

// join adds what a machine has seen.
func (r *Report) join(w *watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.accessed == nil {
		r.accessed, r.tolerated = map[place]*spans{}, map[fault]*Tolerated{}
	}
	for site := range w.accessed {
		for buffer := range w.accessed[site] {
			from := &w.accessed[site][buffer]
			if len(from.list) == 0 {
				continue
			}
			at := place{site, buffer}
			if r.accessed[at] == nil {
				r.accessed[at] = &spans{}
			}
			from.merge()
			r.accessed[at].join(from)
		}
	}
	for at, t := range w.tolerated {
		if known := r.tolerated[at]; known == nil {
			r.tolerated[at] = t
		} else {
			if earlier(t.Fault, known.Fault) {
				known.Fault = t.Fault
			}
			known.Times += t.Times
		}
	}
}

// earlier reports whether a fault comes before another one in the order of the grid.
func earlier(a, b *machine.Fault) bool {
	for i := range 3 {
		if c := cmp.Compare(a.Group[2-i], b.Group[2-i]); c != 0 {
			return c < 0
		}
	}
	for i := range 3 {
		if c := cmp.Compare(a.Thread[2-i], b.Thread[2-i]); c != 0 {
			return c < 0
		}
	}
	return false
}

// Accesses lists what a program has accessed in a launch, in the order of its sites.
func (r *Report) Accesses(p *machine.Program) []Accessed {
	sites := guardOf(p).sites
	var list []Accessed
	for at, s := range r.accessed {
		s.merge()
		o := sites[at.site]
		list = append(list, Accessed{Pos: o.access.In.Pos, Index: at.buffer, Write: o.writes, Atomic: o.atomic,
			Spans: s.list})
	}
	slices.SortFunc(list, func(a, b Accessed) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col,
			b.Pos.Col))
	})
	return list
}

// Tolerated lists the wrong accesses of a launch, in the order of the source.
func (r *Report) Tolerated() []Tolerated {
	var list []Tolerated
	for _, t := range r.tolerated {
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b Tolerated) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Kind, b.Kind))
	})
	return list
}

// buffers is the number of entries of the table of buffers, which are the first objects of a machine.
const buffers = analysis.FirstThreadgroup
