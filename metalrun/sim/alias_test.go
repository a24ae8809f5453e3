package sim_test

import (
	"encoding/binary"
	"math"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// shared launches 32 threads of a body that gets a at offset 0 and b at an offset of the same memory of 64 floats,
// which holds 0, 1, 2 and so on.
func shared(t *testing.T, s sim.Semantics, body string, offset int, exact *metalrun.Exact) (values []float32,
	outcome metalrun.Outcome) {
	t.Helper()
	k := compiled(t, s, "#include <metal_stdlib>\nusing namespace metal;\nkernel void f(device const float* a "+
		"[[buffer(0)]], device float* b [[buffer(1)]], device uint* equal [[buffer(2)]], uint i "+
		"[[thread_position_in_threadgroup]])\n{\n\t"+body+"\n}\n", "f")
	data, equal := make([]byte, 4*64), make([]byte, 4)
	for i := range 64 {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(i)))
	}
	outcome, err := k.Run(metalrun.Dispatch{
		Bindings: []metalrun.Binding{
			{Index: 0, Data: data, Length: 4 * 32, Exact: exact},
			{Index: 1, Data: data, Offset: 4 * offset, Length: 4 * 32, Exact: exact},
			{Index: 2, Data: equal, Length: 4},
		},
		Threadgroups: metalrun.Size{X: 1, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	values = append(values, float32(binary.LittleEndian.Uint32(equal)))
	for i := range 64 {
		values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return values, outcome
}

// TestAliasedPointers compares pointers to one memory, and reads by one what the other has stored.
func TestAliasedPointers(t *testing.T) {
	const body = "if (i == 0) { *equal = a == b ? 1 : a + 2 == b ? 2 : 3; b[0] = 100; b[1] = a[0] + a[2]; }"
	for _, test := range []struct {
		offset                 int
		equal, written, second float32 // what is stored by b[0] and b[1]
	}{
		{0, 1, 100, 102}, {2, 2, 100, 100}, {32, 3, 100, 2},
	} {
		for _, s := range []sim.Semantics{{}, {Check: true}, {Exact: true}, {Check: true, Exact: true}} {
			got, outcome := shared(t, s, body, test.offset, nil)
			if got[0] != test.equal || got[1+test.offset] != test.written || got[2+test.offset] != test.second {
				t.Errorf("offset %d, %+v: equal %v, stored %v and %v; want %+v", test.offset, s, got[0],
					got[1+test.offset], got[2+test.offset], test)
			}
			if len(outcome.Findings) > 0 {
				t.Errorf("offset %d: %v", test.offset, outcome.Findings)
			}
		}
	}
}

// TestAliasedRace finds the race of threads that read by one pointer what others store by the other.
func TestAliasedRace(t *testing.T) {
	for _, test := range []struct {
		body  string
		races bool
	}{
		{"b[i] = a[i] + 1;", false},
		{"b[i] = a[i ^ 1] + 1;", true},
	} {
		_, outcome := shared(t, sim.Semantics{Check: true}, test.body, 0, nil)
		if got := len(outcome.Findings) > 0; got != test.races {
			t.Errorf("%s: findings %v", test.body, outcome.Findings)
		}
	}
}

// TestAliasedExact follows exact values from the pointer that stores to the one that loads.
func TestAliasedExact(t *testing.T) {
	var exact metalrun.Exact
	shared(t, sim.Semantics{Exact: true}, "b[i] = a[i] / 3; threadgroup_barrier(mem_flags::mem_device); "+
		"b[i] = a[i] * 3;", 0, &exact)
	if x, e, ok := exact.Element(4 * 7); !ok || x != 7 || e == 0 || math.IsInf(e, 0) {
		t.Errorf("element 7 is %v within %v, %t; want 7 within what two roundings cost", x, e, ok)
	}
}

// TestAliasedExit leaves a kernel early whose pointers lead to one memory: the exit still names its block.
func TestAliasedExit(t *testing.T) {
	for _, s := range []sim.Semantics{{Profile: true}, {Check: true}} {
		got, _ := shared(t, s, "if (i > 3) { return; } b[i] = a[i] + 1;", 4, nil)
		if got[1+4+3] != 4 || got[1+4+4] != 8 {
			t.Errorf("%+v: stored %v and then %v, want 4 and 8", s, got[8], got[9])
		}
	}
}
