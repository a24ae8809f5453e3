package record

import (
	"bytes"
	"testing"
	"time"

	"metalconform/metalrun"
)

// The file of a launch answers it, or is refused; what it answers has the sizes that the launch has.
func FuzzAnswer(f *testing.F) {
	info := metalrun.KernelInfo{Name: "scale"}
	d := dispatch(3)
	var before [][]byte
	for _, b := range d.Bindings {
		before = append(before, bytes.Clone(b.Data))
	}
	whole := launch(info, d, before, metalrun.Outcome{Duration: time.Second, Clock: metalrun.GPUClock}, nil)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(launch(info, d, before, metalrun.Outcome{}, &metalrun.Fault{}))
	f.Fuzz(func(t *testing.T, file []byte) {
		d := dispatch(3)
		outcome, _, damaged := answer(info, d, file)
		if damaged == nil && outcome.Duration < 0 {
			t.Errorf("it took %v", outcome.Duration)
		}
		for i, b := range d.Bindings {
			if len(b.Data) != len(before[i]) {
				t.Errorf("binding %d has %d bytes, had %d", i, len(b.Data), len(before[i]))
			}
		}
	})
}
