package profile_test

import (
	"testing"

	"metalconform/metalrun/internal/ir/irtest"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/profile"
)

// TestCount counts the threads that come to each run of instructions: the iterations of a loop in a branch that some
// take.
func TestCount(t *testing.T) {
	kernel := irtest.Lower(t, `kernel void k(device float *out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
		if (id < 10) { for (uint i = 0; i < 7; i++) { out[id] += 1; } } }`)
	p := codegen.Compile(kernel, machine.Options{Count: true}, func(o machine.Options) []codegen.Extension {
		return []codegen.Extension{profile.NewProfiler(o)}
	})
	size, work := machine.Size{32, 1, 1}, &profile.Work{}
	if err := p.Run(machine.Dispatch{Threads: size, PerGroup: size, Wanted: []any{work},
		Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 128)}}}); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range work.Counts() {
		found = found || c.Threads == 70 && c.Simdgroups == 7
	}
	if !found {
		t.Errorf("no run is taken by 10 threads 7 times: %+v", work.Counts())
	}
}
