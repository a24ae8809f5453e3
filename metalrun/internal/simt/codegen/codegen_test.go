package codegen_test

import (
	"bytes"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/irtest"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// products counts the products that active threads compute.
type products struct {
	codegen.NoExtension
	count int
}

func (p *products) After(c *codegen.Compiler, in *ir.Instr) {
	if in.Op == ir.Mul {
		c.Do(func(m *machine.Machine) {
			for _, on := range m.Mask {
				p.count += int(on & 1)
			}
		})
	}
}

// TestExtension compiles a kernel without extensions and with one that counts products in a branch. Results are the
// same.
func TestExtension(t *testing.T) {
	const threads, multiplying = 48, 20
	kernel := irtest.Lower(t, `kernel void k(device float *out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
		if (id < 20) { out[id] = float(id) * out[id]; } }`)
	counter := &products{}
	var results [2][]byte
	for i, with := range [][]codegen.Extension{nil, {counter}} {
		results[i] = bytes.Repeat([]byte{0, 0, 64, 64}, threads)
		p := codegen.Compile(kernel, machine.Options{Workers: 1},
			func(machine.Options) []codegen.Extension { return with })
		size := machine.Size{threads, 1, 1}
		if err := p.Run(machine.Dispatch{Threads: size, PerGroup: size,
			Buffers: []machine.Buffer{{Index: 0, Bytes: results[i]}}}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(results[0], results[1]) {
		t.Error("the extension changes results")
	}
	if counter.count != multiplying {
		t.Errorf("%d products, want %d", counter.count, multiplying)
	}
}
