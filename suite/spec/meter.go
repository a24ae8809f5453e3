package spec

import (
	mathbits "math/bits"
	"runtime"
	"weak"

	"go.starlark.net/starlark"

	"metalconform/internal/budget"
	"metalconform/oracles"
	"metalconform/suite/tensor"
)

// meter counts what an evaluation does, makes and holds: whatever is done on a thread counts on the thread's meter,
// whoever made the operands. A nil meter counts nothing.
type meter struct {
	limits     *Limits
	operations int64
	elements   int64
	bytes      int64                       // of what is no tensor, or a small one
	keys       map[uint32][]starlark.Value // by their hash
	alike      int64                       // keys that had to be compared with many others
	// elements of the tensors in use, and of those that were since this was looked at
	held    int64
	tensors map[weak.Pointer[float64]]int64
	nested  bool // in another evaluation, which may be the large one
	large   bool // it is that

	decided bool            // a float has decided what is computed: no output of the evaluation is exact
	err     func() int      // the sign of the next error in a trial; nil: operations err as float64 does
	ranks   bool            // what is too small for float64 keeps its order
	in      *oracles.Format // that the operations of a trial err in; nil: float64
}

func newMeter(l *Limits) *meter { return &meter{limits: l} }

// meterOf is the meter of a thread.
func meterOf(thread *starlark.Thread) *meter {
	m, _ := thread.Local(meterKey).(*meter)
	return m
}

// end lets another evaluation hold much.
func (m *meter) end() {
	if m.large {
		m.large = false
		m.limits.large.Unlock()
	}
}

// compute counts bytes.
func (m *meter) compute(n int64) error {
	if m == nil {
		return nil
	}
	if most := m.limits.of(Bytes); n > most || m.bytes+n > most {
		return m.limits.exceeded(Bytes,
			"more than %d bytes have been computed: strings, lists and dictionaries grow too large")
	}
	m.bytes += n
	return nil
}

// work counts operations before they are done.
func (m *meter) work(n int64) error {
	if m == nil {
		return nil
	}
	if most := m.limits.of(Operations); n < 0 || n > most || m.operations+n > most {
		return m.limits.exceeded(Operations,
			"more than %d operations on elements: take a smaller point, or fewer of them")
	}
	m.operations += n
	return nil
}

// does is work for those who count in int.
func (m *meter) does(operations int) error { return m.work(int64(operations)) }

// times is a product of numbers that are not negative, or the largest one if it has no room.
func times(n ...int) int64 {
	product := uint64(1)
	for _, n := range n {
		high, low := mathbits.Mul64(product, uint64(n))
		if high > 0 || low > 1<<62 {
			return 1 << 62
		}
		product = low
	}
	return int64(product)
}

// A tensor of fewer elements counts in bytes, with what it takes beside them.
const (
	fewElements   = 128
	tensorBytes   = 128
	elementBytes  = 8
	smallEvaluate = 1 << 22 // elements that any number of evaluations may hold at once
)

// made counts the elements of a tensor, and keeps an eye on it.
func (m *meter) made(t *tensor.Tensor) error {
	if m == nil {
		return nil
	}
	if err := m.spend(t.Len()); err != nil {
		return err
	}
	n := int64(t.Len())
	if n < fewElements {
		return m.compute(tensorBytes + elementBytes*n)
	}
	if m.tensors == nil {
		m.tensors = map[weak.Pointer[float64]]int64{}
	}
	// Parts of a tensor and other shapes of it share their elements.
	if p := weak.Make(&t.Data()[0]); m.tensors[p] < n {
		m.held += n - m.tensors[p]
		m.tensors[p] = n
	}
	if m.held > smallEvaluate && !m.large && !m.nested {
		m.limits.large.Lock()
		m.large = true
	}
	if m.held > m.limits.of(Held) {
		return m.look()
	}
	return nil
}

// look finds out what is still in use. Where that is an eighth less than it may be at most, there is no need to look
// again soon.
func (m *meter) look() error {
	runtime.GC()
	m.held = 0
	for p, n := range m.tensors {
		if p.Value() == nil {
			delete(m.tensors, p)
		} else {
			m.held += n
		}
	}
	if most := m.limits.of(Held); m.held > most-most/8 {
		return m.limits.exceeded(Held,
			"tensors in use come to more than %d elements: take a smaller point, or hold fewer")
	}
	return nil
}

// affords takes from the budget of the run.
func (m *meter) affords(r budget.Resource, n int64) error {
	if m == nil {
		return nil
	}
	return m.limits.Budget.Take(r, n)
}

// spend counts elements.
func (m *meter) spend(n int) error {
	if m == nil {
		return nil
	}
	if m.elements += int64(n); m.elements > m.limits.of(Elements) {
		return m.limits.exceeded(Elements,
			"more than %d elements have been computed: take a smaller point, or fewer operations")
	}
	return nil
}
