package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/irtest"
	"metalconform/metalrun/internal/syntax"
)

// assembler builds kernels, one instruction at a time.
type assembler struct {
	k    *ir.Kernel
	list *[]ir.Node
}

func assemble(build func(a *assembler)) *ir.Kernel {
	body := &ir.Block{Name: "test"}
	a := &assembler{k: &ir.Kernel{Name: "test", Body: []ir.Node{body}}, list: &body.Body}
	build(a)
	return a.k
}

func (a *assembler) literal(v int) ir.Reg {
	return a.k.Register(ir.RegInfo{Kind: ir.Literal, Type: ir.I32, Bits: uint64(v)})
}

func (a *assembler) input(s ir.Source) ir.Reg {
	return a.k.Register(ir.RegInfo{Kind: ir.Input, Type: ir.I32, Input: s})
}

func (a *assembler) variable(t ir.Type) ir.Reg {
	return a.k.Register(ir.RegInfo{Kind: ir.Variable, Type: t})
}

func (a *assembler) put(n ir.Node) { *a.list = append(*a.list, n) }

// op appends d = o(args) with a new temporary d.
func (a *assembler) op(o ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	d := a.k.Temporary(t)
	a.set(o, d, args...)
	return d
}

func (a *assembler) set(o ir.Op, d ir.Reg, args ...ir.Reg) {
	a.put(&ir.Instr{Op: o, Dst: []ir.Reg{d}, Args: args})
}

// within appends to another list.
func (a *assembler) within(list *[]ir.Node, build func()) {
	outer := a.list
	a.list = list
	build()
	a.list = outer
}

// kernel lowers a kernel with a body. out, more and in are buffers of floats, table one of integers, hits and sums
// atomics. The others are scalars.
func kernel(t *testing.T, body string) *ir.Kernel {
	t.Helper()
	return irtest.Lower(t, `#include <metal_stdlib>
using namespace metal;
#define WAIT threadgroup_barrier(mem_flags::mem_threadgroup)
static float twice(float x) { return x * 2; }
static float atMost(float x, float y) { if (x > y) { return y; } return x; }
kernel void f(device float *out [[buffer(0)]], device float *more [[buffer(1)]], device const float *in [[buffer(2)]],
    device const uint *table [[buffer(3)]], device atomic_uint *hits [[buffer(4)]],
    device atomic_float *sums [[buffer(5)]], constant uint &n [[buffer(6)]], uint i [[thread_position_in_grid]],
    uint thread_index [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]],
    uint threads [[threads_per_grid]], uint size [[threads_per_threadgroup]]) {
`+body+`
}`)
}

// lastStore is the last store to device memory.
func lastStore(k *ir.Kernel) (store *ir.Instr) {
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Store && in.Mem.Space == syntax.Device {
			store = in
		}
	}
	return store
}

// firstLoop is the first loop of a kernel.
func firstLoop(k *ir.Kernel) (loop *ir.Loop) {
	ir.Walk(k.Body, func(n ir.Node) bool {
		if l, ok := n.(*ir.Loop); ok && loop == nil {
			loop = l
		}
		return loop == nil
	})
	return loop
}
