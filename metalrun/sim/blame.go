package sim

import (
	"errors"
	"fmt"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/simt"
)

// Blame says where the error of an element comes from: see [metalrun.Blamer].
func (k *kernel) Blame(d metalrun.Dispatch, of []metalrun.Sensitivity, memory int) (metalrun.Blame, error) {
	if !k.exact {
		return metalrun.Blame{}, fmt.Errorf("kernel %s is not executed exactly", k.name)
	}
	if err := d.Check(k.MaxThreads()); err != nil {
		return metalrun.Blame{}, err
	}
	m := k.merge(d)
	program := withInputShadows(k.forLaunch(m), m.Dispatch)
	list := make([]simt.Sensitivity, len(of))
	for i, s := range of {
		index, off := m.place(d, s.Index, s.Offset)
		list[i] = simt.Sensitivity{Buffer: index, Off: off, By: s.By}
	}
	b, err := program.Blame(launch(program, m.Dispatch), list, memory)
	if err != nil {
		var fault *simt.Fault
		switch {
		case errors.Is(err, simt.ErrNotStored):
			err = metalrun.ErrNotStored
		case errors.As(err, &fault):
			err = fmt.Errorf("%s: %s", fault.Pos, fault.Msg)
		}
		return metalrun.Blame{}, err
	}
	out := metalrun.Blame{Got: b.Got, Exact: b.X, Error: b.E, Runs: b.Windows}
	for _, l := range b.Lines {
		out.Lines = append(out.Lines, metalrun.BlamedLine{Position: position(l.Pos), Actual: l.Actual, Bound: l.Bound,
			Lost: l.Lost, Times: l.Times})
	}
	for _, s := range b.Before {
		out.Before = append(out.Before, metalrun.Sensitivity{Index: s.Buffer, Offset: s.Off, By: s.By})
	}
	return out, nil
}
