package bench

import (
	"bytes"
	"unsafe"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"
)

// Sets of buffers for cold samples.
const (
	coldMemory = 192 << 20 // bytes of all sets
	mostSets   = 64
)

// bindPair readies the submissions whose difference is a sample.
func (w *timedCase) bindPair(k metalrun.Binder) error {
	w.Restore(w.before)
	if w.effort.Cold {
		return w.bindCold(k)
	}
	b, err := w.bind(k, 1)
	if err != nil {
		return err
	}
	w.pair, err = timing.Warm(b)
	return err
}

// bindCold has n sets of the buffers in one submission and 2n others in the other, all
// evicted before: no launch finds what it needs in a cache.
func (w *timedCase) bindCold(k metalrun.Binder) (err error) {
	if w.Meter.evictor == nil {
		if w.Meter.evictor, err = timing.NewEvictor(w.session.runner); err != nil {
			return err
		}
	}
	size := 1 + w.BufferBytes()
	n := min(max(coldMemory/3/size, 1), mostSets)
	submit := func(sets int) func() (metalrun.Outcome, error) {
		b, failed := w.bind(k, sets)
		if err == nil {
			err = failed
		}
		return func() (metalrun.Outcome, error) {
			if err := w.Meter.evictor.Evict(); err != nil {
				return metalrun.Outcome{}, err
			}
			return b.Run(1)
		}
	}
	w.pair = &timing.Pair{Short: submit(n), Long: submit(2 * n), Runs: n}
	return err
}

// bind puts the case's launches on the device, so many times, each with buffers of its
// own.
func (w *timedCase) bind(k metalrun.Binder, sets int) (metalrun.Bound, error) {
	launches, err := w.Dispatches()
	if err != nil {
		return nil, err
	}
	sequence := launches
	for range sets - 1 {
		sequence = append(sequence, copied(launches)...)
	}
	b, err := k.Bind(sequence...)
	if err == nil {
		w.kept = append(w.kept, b)
	}
	return b, err
}

// copied are launches on copies of their buffers.
func copied(launches []metalrun.Dispatch) []metalrun.Dispatch {
	copies := map[*byte][]byte{}
	var list []metalrun.Dispatch
	for _, d := range launches {
		d.Bindings = bytesOf(d.Bindings, copies)
		list = append(list, d)
	}
	return list
}

// bytesOf are bindings with copies of their Data, one of each.
func bytesOf(bindings []metalrun.Binding, copies map[*byte][]byte) []metalrun.Binding {
	var list []metalrun.Binding
	for _, b := range bindings {
		if first := unsafe.SliceData(b.Data); !b.Inline {
			if copies[first] == nil {
				copies[first] = bytes.Clone(b.Data)
			}
			b.Data = copies[first]
		}
		list = append(list, b)
	}
	return list
}

// runBound runs the case once more from the buffers that it began with, as samples do.
func (w *timedCase) runBound(k metalrun.Binder) error {
	w.Restore(w.before)
	b, err := w.bind(k, 1)
	if err != nil {
		return err
	}
	if _, err := b.Run(1); err != nil {
		return err
	}
	return b.Read()
}

// release frees what is on the device.
func (w *timedCase) release() {
	for _, b := range w.kept {
		b.Release()
	}
}
