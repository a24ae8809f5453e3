package exact_test

import (
	"math"
	"testing"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir/irtest"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/machine"
)

// TestBound executes 1 / 3, of which the exact value and a bound on that of any device are left beside the result.
func TestBound(t *testing.T) {
	kernel := irtest.Lower(t, `kernel void k(device float *out [[buffer(0)]]) { out[0] = 1.0f / out[0]; }`)
	p := codegen.Compile(kernel, machine.Options{Exact: true}, func(machine.Options) []codegen.Extension {
		return []codegen.Extension{&exact.Exactness{}}
	})
	one, bytes, balls := machine.Size{1, 1, 1}, []byte{0, 0, 64, 64}, make([]ball.Ball, 1)
	if err := p.Run(machine.Dispatch{Threads: one, PerGroup: one,
		Buffers: []machine.Buffer{{Index: 0, Bytes: bytes, Exact: balls}}}); err != nil {
		t.Fatal(err)
	}
	if x := balls[0]; math.Abs(x.X-1.0/3) > 1e-15 || x.E <= 0 || x.E > 1e-6 {
		t.Errorf("got %v ± %v, want a third and a bound of some ulps", x.X, x.E)
	}
}
