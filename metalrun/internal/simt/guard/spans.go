package guard

import (
	"cmp"
	"slices"
)

// Span is bytes of a buffer, from From up to To.
type Span struct{ From, To int64 }

// spans collects bytes.
type spans struct {
	list  []Span
	dirty bool // they may overlap, or lie in any order
	next  int  // how many there may be before they are merged
}

// fewSpans is how many spans are collected before they are merged for the first time. From then on their number may
// double, so that merging takes a logarithm of the time of adding.
const fewSpans = 1 << 10

// add adds bytes. Most accesses continue the one before them.
func (s *spans) add(from, to int64) {
	if n := len(s.list); n > 0 {
		last := &s.list[n-1]
		if from <= last.To && to >= last.From {
			if from < last.From {
				s.dirty = true
			}
			last.From, last.To = min(last.From, from), max(last.To, to)
			return
		}
		if from < last.To {
			s.dirty = true
		}
		if n >= max(s.next, fewSpans) {
			s.merge()
			s.next = 2 * len(s.list)
		}
	}
	s.list = append(s.list, Span{from, to})
}

// join adds all bytes of others.
func (s *spans) join(other *spans) {
	s.list = append(s.list, other.list...)
	s.dirty = true
}

// merge makes the spans ascend, apart.
func (s *spans) merge() {
	if !s.dirty {
		return
	}
	slices.SortFunc(s.list, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	out := s.list[:0]
	for _, x := range s.list {
		if n := len(out); n > 0 && x.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, x.To)
			continue
		}
		out = append(out, x)
	}
	s.list, s.dirty = out, false
}
