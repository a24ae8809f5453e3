package sim_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// A limit is as many calls as may be in each other, whatever it is set to.
func TestRecursionLimit(t *testing.T) {
	source := metalrun.SourceText("deep.metal", "static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }\n"+
		"kernel void k(device int *out [[buffer(0)]]) { out[0] = sum(out[0]); }\n")
	for _, test := range []struct {
		limit string
		depth int32
		ends  bool
	}{{"recursion=3", 2, true}, {"recursion=3", 3, false}, {"recursion=1000", 999, true},
		{"recursion=1000", 1000, false}} {
		var opts metalrun.CompileOptions
		if err := opts.Limits.Set(test.limit); err != nil {
			t.Fatal(err)
		}
		p, err := metalrun.Analyse(source, opts)
		if err != nil {
			t.Fatal(err)
		}
		lib, err := sim.New(sim.Semantics{}).Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		k, err := lib.Kernel("k")
		if err != nil {
			t.Fatal(err)
		}
		data := binary.LittleEndian.AppendUint32(nil, uint32(test.depth))
		one := metalrun.Size{X: 1, Y: 1, Z: 1}
		_, err = k.Run(metalrun.Dispatch{Bindings: []metalrun.Binding{{Index: 0, Data: data, Length: len(data)}},
			Threads: one, ThreadsPerThreadgroup: one})
		switch got := int32(binary.LittleEndian.Uint32(data)); {
		case test.ends && (err != nil || got != test.depth*(test.depth+1)/2):
			t.Errorf("%s, %d deep: %d, %v", test.limit, test.depth, got, err)
		case !test.ends &&
			(err == nil || !strings.Contains(err.Error(), "in each other, which -compile-limit recursion=N can raise")):
			t.Errorf("%s, %d deep: got %v, want a fault that names the flag", test.limit, test.depth, err)
		}
	}
}
