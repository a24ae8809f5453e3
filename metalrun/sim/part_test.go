package sim_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// partSource has a kernel for each way in which the executor reaches memory. Of n
// elements each threadgroup of 32 threads has 32, and row reads 8 in front of each.
const partSource = `#include <metal_stdlib>
using namespace metal;
kernel void run(device const float* in, device float* out, constant uint& n, uint i [[thread_position_in_grid]]) {
	if (i < n) { out[i] = in[i] + 1.0f; }
}
kernel void gather(device const float* in, device float* out, constant uint& n, uint i [[thread_position_in_grid]]) {
	out[i ^ 5] = in[i ^ 3] * 2.0f;
}
kernel void wide(device const float* in, device float* out, constant uint& n, uint i [[thread_position_in_grid]]) {
	device const float* from = in + ulong(i ^ 1);
	out[ulong(n) - 1 - (ulong(n) - 1 - i)] = *from;
}
kernel void uniform_index(device const float* in, device float* out, constant uint& n,
		uint g [[threadgroup_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
	out[g * 32 + l] = in[g * 32 + 7] + float(l);
}
kernel void table(constant float* in, device float* out, constant uint& n,
		uint g [[threadgroup_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
	out[g * 32 + l] = in[g * 32 + 7] + in[g * 32 + l] + in[n - 1];
}
kernel void row(device const float* in, device float* out, constant uint& n, uint i [[thread_position_in_grid]]) {
	device const float* own = in + i;
	float sum = 0.0f;
	for (uint j = 0; j < 8; j++) { sum += own[-int(j % 4 & i)] * in[n - 1 - j]; }
	out[i] = sum;
}
kernel void products(device const float* in, device float* out, constant uint& n,
		uint g [[threadgroup_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
	device const float* mine = in + g * 32;
	float sum = 0.0f;
	for (uint j = 0; j < 32; j++) { sum += mine[j] * mine[(j + l) % 32]; }
	out[g * 32 + l] = sum;
}
kernel void narrow(device const ushort* in, device uchar* out, constant uint& n, uint i [[thread_position_in_grid]]) {
	out[i * 4 + 1] = uchar(in[i * 2] + in[i * 2 + 1]);
}
kernel void vectors(device const float4* in, device float4* out, constant uint& n, uint i [[thread_position_in_grid]]) {
	if (i % 4 == 0) { out[i / 4] = in[i / 4].wzyx; }
}
kernel void tile(device const float* in, device float* out, constant uint& n, uint g [[threadgroup_position_in_grid]]) {
	simdgroup_float8x8 a;
	simdgroup_load(a, in + g * 32 - 32, 8);
	simdgroup_store(a, out + g * 32 - 32, 8);
}
kernel void counted(device const float* in, device atomic_uint* out, constant uint& n, uint i [[thread_position_in_grid]]) {
	atomic_fetch_add_explicit(&out[i & ~1u], i, memory_order_relaxed);
}
kernel void read_and_written(device const float* in, device float* out, constant uint& n,
		uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
	out[i] += in[i];
	threadgroup_barrier(mem_flags::mem_device);
	const float next = out[i - l + (l + 1) % 32];
	threadgroup_barrier(mem_flags::mem_device);
	out[i] = next;
}
`

// TestPart runs the end of a launch by itself: the same bits come out as of the
// whole launch, in every kind of access and however the launch is observed.
func TestPart(t *testing.T) {
	const groups, skip, n = 40, 37, 40 * 32
	in, before := make([]byte, 4*n), 4*32*skip
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		binary.LittleEndian.PutUint32(in[4*i:], 0x3f800000|r.Uint32()&0x7fffff) // [1, 2)
	}
	p, err := metalrun.Analyse(metalrun.SourceText("part.metal", partSource), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := p.Kernels()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []sim.Semantics{{}, {Check: true}, {Portable: true}, {Schedule: 3},
		{Adversary: &sim.Adversary{Seed: 1, Choices: -1}}} {
		for _, info := range kernels {
			t.Run(fmt.Sprintf("%s/%s", s, info.Name), func(t *testing.T) {
				k := kernel(t, sim.New(s), metalrun.SourceText("part.metal", partSource), info.Name)
				launch := func(at, skip int) ([]byte, error) {
					at = max(at-4*32, 0) // row and tile also touch what the threadgroup in front has
					out := make([]byte, len(in)-at)
					_, err := k.Run(metalrun.Dispatch{
						Threadgroups:          metalrun.Size{X: groups, Y: 1, Z: 1},
						ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1}, Skip: skip,
						Bindings: []metalrun.Binding{
							{Index: 0, Data: in[at:], Length: len(in) - at, Before: at},
							{Index: 1, Data: out, Length: len(out), Before: at},
							{Index: 2, Data: []byte{n % 256, n / 256, 0, 0}, Length: 4, Inline: true},
						},
					})
					return out, err
				}
				part, err := launch(before, skip)
				if err != nil {
					t.Fatal(err)
				}
				whole, err := launch(0, 0)
				if info.Name == "tile" { // its first threadgroup has none in front
					whole, err = launch(4*32, 1)
				}
				if err != nil {
					t.Fatal(err)
				}
				behind := len(in) - before
				if !bytes.Equal(part[len(part)-behind:], whole[len(whole)-behind:]) {
					t.Errorf("the end of the launch by itself gives\n%x\nand as part of the whole\n%x",
						part[len(part)-behind:], whole[len(whole)-behind:])
				}
			})
		}
	}
}

// TestPartFar reaches what a pointer of 32 bits does not, and refuses all else.
func TestPartFar(t *testing.T) {
	const source = `#include <metal_stdlib>
using namespace metal;
kernel void far(device const float* in, device float* out, constant uint& n, constant uint& width, uint i [[thread_position_in_grid]]) {
	out[ulong(i) * width] = in[INDEX];
}`
	const group, width = 1<<24 - 1, 64 // the last threadgroup of 256 that a position of 32 bits can tell
	for _, test := range []struct{ index, want string }{
		{"ulong(i) * width", ""},
		{"i * width", "whose bytes from 1099511562240 to 1099511627775 alone belong to the threadgroups that run"},
		{"int(i) * long(width)", "read of 4 bytes at offset -65536 of"},
		{"ulong(ushort(i)) * width", "read of 4 bytes at offset 16711680 of"},
		{"ulong(float(i)) * width", "read of 4 bytes at offset 1099511627776 of"},
	} {
		for _, check := range []bool{false, true} {
			text := strings.Replace(source, "INDEX", test.index, 1)
			k := kernel(t, sim.New(sim.Semantics{Check: check}), metalrun.SourceText("far.metal", text), "far")
			in, out := make([]byte, 4*256*width), make([]byte, 4*256*width)
			for i := range 256 {
				binary.LittleEndian.PutUint32(in[4*i*width:], uint32(i)+1)
			}
			_, err := k.Run(metalrun.Dispatch{
				Threadgroups:          metalrun.Size{X: 1 << 24, Y: 1, Z: 1},
				ThreadsPerThreadgroup: metalrun.Size{X: 256, Y: 1, Z: 1}, Skip: group,
				Bindings: []metalrun.Binding{
					{Index: 0, Data: in, Length: len(in), Before: group * len(in)},
					{Index: 1, Data: out, Length: len(out), Before: group * len(out)},
					{Index: 2, Data: []byte{0, 0, 0, 0}, Length: 4, Inline: true},
					{Index: 3, Data: []byte{width, 0, 0, 0}, Length: 4, Inline: true},
				},
			})
			var fault *metalrun.Fault
			switch {
			case test.want == "" && (err != nil || !bytes.Equal(in, out)):
				t.Errorf("%s, checked %v: %v, or not what it should write", test.index, check, err)
			case test.want != "" && (!errors.As(err, &fault) || !strings.Contains(fault.Message, test.want)):
				t.Errorf("%s, checked %v: %v, want %q", test.index, check, err, test.want)
			}
		}
	}
}
