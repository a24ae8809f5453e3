package suite

import (
	"fmt"
	"sync"

	"metalconform/metalrun"
)

// hangs are the cases whose launches did not end by themselves. A kernel that has such a case is
// not launched for those after it: each would take as long as a launch may. Which these are follows from the
// order of the cases alone, however many are under way at once.
type hangs struct {
	mu    sync.Mutex
	first map[built]int // place of the first case, by kernel
}

// built is a kernel as it is compiled for a case.
type built struct {
	kernel   string
	pipeline bool
	variant  string
	math     metalrun.Math
}

func (c Case) built() built { return built{c.Kernel.Name, c.Pipeline != nil, c.Variant, c.Math} }

// note records that the case at a place hangs.
func (h *hangs) note(at int, c Case) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if first, known := h.first[c.built()]; !known || at < first {
		h.first[c.built()] = at
	}
}

// before is the place of an earlier case of the same kernel that hangs.
func (h *hangs) before(at int, c Case) (place int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	place, ok = h.first[c.built()]
	return place, ok && place < at
}

// unlaunched is the result of a case whose kernel hangs in another.
func unlaunched(opts Options, c, other Case) Result {
	return concluded(opts, c, func(r *Result) {
		r.FailBy([]Failure{{Check: CheckFault, Kernel: c.Kernel.Name, Text: fmt.Sprintf("not launched: the kernel does not end in %s", other.Name)}})
	})
}
