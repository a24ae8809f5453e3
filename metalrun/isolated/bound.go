package isolated

import (
	"fmt"

	"metalconform/metalrun"
)

// binder is a kernel whose buffers can stay on the device.
type binder struct{ *kernel }

// Bind has the worker bind.
func (k binder) Bind(dispatches ...metalrun.Dispatch) (metalrun.Bound, error) {
	b := &bound{kernel: k.kernel, number: k.newNumber(), sequence: newSequence(dispatches)}
	if _, err := k.ask(k.library, request{Kernel: k.name, Bound: b.number, bind: b.sequence}); err != nil {
		return nil, err
	}
	return b, nil
}

// bound is a sequence by its number. A worker that does not know it gets it as it was
// bound, or as it was read last: there its launches begin anew.
type bound struct {
	*kernel
	number   int
	sequence *sequence
}

func (b *bound) Run(n int) (metalrun.Outcome, error) {
	if n < 1 {
		return metalrun.Outcome{}, fmt.Errorf("%d launches: want at least 1", n)
	}
	a, err := b.ask(b.library, request{Kernel: b.name, Bound: b.number, bind: b.sequence, Launches: n})
	return a.Outcome, err
}

// Read fails if the worker that has launched has ended.
func (b *bound) Read() error {
	a, err := b.ask(b.library, request{Kernel: b.name, Bound: b.number, Read: true})
	if err != nil {
		return err
	}
	b.sequence.take(a.Memory)
	return nil
}

func (b *bound) Release() {
	b.forget(b.number, request{Bound: b.number, Forget: true})
}
