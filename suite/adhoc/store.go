package adhoc

import "metalconform/metalrun"

// Store is the memory of launches, one at a time, and what they draw. Launches are many, of kernels with buffers as
// long as those of others.
type Store struct {
	memory []byte
	of     string // the kernel that has drawn
	drawn  map[drawing][]byte
}

// A drawing is all that the random contents of a buffer of a kernel depend on: those of fewer elements begin those of
// more.
type drawing struct {
	buffer, behind, size int
	seed                 uint64
	apiece, filled       bool
	floats               Interval
}

// Using is the kernel with launches in a store, in which no others are under way.
func (k Kernel) Using(s *Store) Kernel {
	k.store = s
	return k
}

// drawn are so many bytes of random contents.
func (k *Kernel) drawn(p parameter, bytes int) []byte {
	s := k.store
	d := drawing{p.Index, p.behind, k.spec.size(), k.spec.seed(), k.spec.apiece, k.spec.filled, k.spec.floats()}
	data := s.drawn[d]
	if len(data) < bytes {
		data = make([]byte, bytes)
		k.begin(p, data)
		s.drawn[d] = data
	}
	return data[:bytes]
}

// boundary is where buffers begin at multiples of: that has every alignment.
const boundary = 64

// room is memory for the buffers of one launch of the kernel, in order.
func (k *Kernel) room() []byte {
	if k.store == nil {
		k.store = &Store{}
	}
	s := k.store
	if s.of != k.Info.Name {
		s.of, s.drawn = k.Info.Name, map[drawing][]byte{}
	}
	bytes := 0
	for _, p := range k.params {
		if n, _ := k.count(p); p.Kind == metalrun.BufferArg {
			bytes += roundUp(n*p.Size, boundary) + boundary // where an array follows a struct
		}
	}
	if len(s.memory) < bytes {
		s.memory = make([]byte, bytes)
	}
	return s.memory
}
