package ir_test

import (
	"slices"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/irtest"
)

// TestNarrowIndices takes 64-bit indices apart: a uniform part goes to the
// pointer, a 32-bit one stays. The original keeps its text.
func TestNarrowIndices(t *testing.T) {
	for _, c := range []struct {
		name, index string
		narrow      bool
	}{
		{"row and column", "ulong(group) * n + tid", true},
		{"column first", "tid + ulong(group) * n", true},
		{"signed column", "long(group) * n + int(tid)", true},
		{"column alone", "ulong(tid)", true},
		{"row that varies", "ulong(tid) * n + tid", false},
		{"already narrow", "group * n + tid", true},
		{"uniform", "ulong(group) * n", false},
		{"difference", "ulong(group) * n - tid", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := irtest.Lower(t, `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* a [[buffer(0)]], constant uint& n [[buffer(1)]],
              uint group [[threadgroup_position_in_grid]], uint tid [[thread_index_in_threadgroup]])
{
    a[`+c.index+`] = 1.0f;
}
`)
			before := k.String()
			narrow := ir.NarrowIndices(k, uniformRegisters(k))
			if err := ir.Verify(narrow); err != nil {
				t.Fatalf("%v\n%s", err, narrow)
			}
			if k.String() != before {
				t.Errorf("the original has become\n%s\nfrom\n%s", k, before)
			}
			if got := indexType(narrow) == ir.I32; got != c.narrow {
				t.Errorf("index of 32 bits: %v, want %v\n%s", got, c.narrow, narrow)
			}
		})
	}
}

// uniformRegisters tells which registers of a kernel without control flow do
// not depend on the thread's index.
func uniformRegisters(k *ir.Kernel) func(ir.Reg) bool {
	varying := map[ir.Reg]bool{}
	for r, info := range k.Regs {
		varying[ir.Reg(r)] = info.Kind == ir.Input && info.Input == ir.ThreadIndexInThreadgroup
	}
	for _, n := range k.Body[0].(*ir.Block).Body {
		if in := n.(*ir.Instr); slices.ContainsFunc(in.Args, func(r ir.Reg) bool { return varying[r] }) {
			for _, d := range in.Dst {
				varying[d] = true
			}
		}
	}
	return func(r ir.Reg) bool { return !varying[r] }
}

// indexType is the type of the index of a kernel's only store to a.
func indexType(k *ir.Kernel) ir.Type {
	for _, n := range k.Body[0].(*ir.Block).Body {
		if in := n.(*ir.Instr); in.Op == ir.Store && in.Mem.Index != ir.None {
			return k.Regs[in.Mem.Index].Type
		}
	}
	return ir.Bool
}
