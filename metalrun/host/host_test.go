package host

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"metalconform/metalrun"
)

// program is a small program on a host of its own.
type program struct {
	*testing.T
	*Host
	library *Library
}

const source = `#include <metal_stdlib>
using namespace metal;
kernel void fill(device uint *out [[buffer(0)]], constant uint &value [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = value;
}
kernel void copy(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = in[i];
}
kernel void shifted(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  out[i] = in[i + 4];
}
kernel void odd(device const uchar *in [[buffer(0)]], device uint *out [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
  out[i] = *(device const uint *)(in + 2 + 4 * i);
}
kernel void vectors(device const packed_float3 *in [[buffer(0)]], device float4 *out [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  out[i] = *(device const float4 *)(in + 1 + 4 * i);
}
kernel void racing(device uint *out [[buffer(0)]], threadgroup uint *t [[threadgroup(0)]],
                   uint i [[thread_index_in_threadgroup]]) {
  t[i] = i;
  out[i] = t[15 - i];
}
kernel void reversed(device uint *out [[buffer(0)]], threadgroup uint *t [[threadgroup(0)]],
                     uint i [[thread_index_in_threadgroup]]) {
  t[i] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = t[15 - i];
}
kernel void count(device atomic_uint *n [[buffer(0)]]) { atomic_fetch_add_explicit(n, 1, memory_order_relaxed); }
`

func newProgram(t *testing.T) *program {
	t.Helper()
	h, err := New(Options{Patience: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	p := &program{T: t, Host: h}
	if p.library, err = h.Compile(source, LibraryOptions{Math: metalrun.Math{Mode: metalrun.MathFast,
		FastFunctions: true}}); err != nil {
		t.Fatal(err)
	}
	return p
}

// words is a buffer of n 32-bit numbers.
func (p *program) words(n int, o BufferOptions) *Buffer { return p.Buffer(make([]byte, 4*n), o) }

func (p *program) pipeline(name string) *Pipeline {
	p.Helper()
	f, err := p.library.Function(name, nil)
	if err != nil {
		p.Fatal(err)
	}
	s, err := f.Pipeline(0)
	if err != nil {
		p.Fatal(err)
	}
	return s
}

// dispatch launches 16 threads.
func (p *program) dispatch(e *Pass, kernel string, buffers ...*Buffer) {
	e.SetPipeline(p.pipeline(kernel))
	for i, b := range buffers {
		e.SetBuffer(b, 0, i)
	}
	e.DispatchThreads(metalrun.Size{X: 16, Y: 1, Z: 1}, metalrun.Size{X: 16, Y: 1, Z: 1})
}

// set launches fill.
func (p *program) set(e *Pass, to *Buffer, value uint32) {
	e.SetBytes(binary.LittleEndian.AppendUint32(nil, value), 1)
	p.dispatch(e, "fill", to)
}

// checks are the names of what was found, with the grade of notes.
func (p *program) checks() string {
	var names []string
	for _, f := range p.Close().Findings {
		if f.Fails() {
			names = append(names, f.Check)
		} else {
			names = append(names, f.Check+" note")
		}
	}
	return strings.Join(names, ", ")
}

func (p *program) want(checks string) {
	p.Helper()
	if got := p.checks(); got != checks {
		p.Errorf("found %q, want %q", got, checks)
		for _, f := range p.report.order {
			p.Logf("%+v", *f)
		}
	}
}

func word(b *Buffer, i int) uint32 { return binary.LittleEndian.Uint32(b.bytes[4*i:]) }

// TestProgram runs two dependent dispatches and a copy.
func TestProgram(t *testing.T) {
	p := newProgram(t)
	a, b, c := p.words(16, BufferOptions{}), p.words(16, BufferOptions{}), p.words(16, BufferOptions{})
	cb := p.Queue().CommandBuffer(false)
	e := cb.Pass(SerialCompute)
	p.set(e, a, 7)
	p.dispatch(e, "copy", a, b)
	e.End()
	blit := cb.Pass(Blit)
	blit.Copy(b, 0, c, 32, 32)
	blit.Fill(c, 0, 4, 0xff)
	blit.End()
	called := false
	cb.OnCompletion(func() { called = true })
	cb.Commit()
	cb.WaitUntilCompleted()
	if !called || cb.Status() != Completed {
		t.Errorf("handler called: %v, status %v", called, cb.Status())
	}
	if word(b, 15) != 7 || word(c, 8) != 7 || word(c, 0) != 0xffffffff || word(c, 1) != 0 {
		t.Errorf("copies are % x and % x", b.bytes, c.bytes)
	}
	p.want("")
}

// TestLaunchesAreChecked tests that a race in a launch is found, without a change of what it computes.
func TestLaunchesAreChecked(t *testing.T) {
	for name, want := range map[string]string{"racing": "race", "reversed": ""} {
		p := newProgram(t)
		out := p.words(16, BufferOptions{})
		cb := p.Queue().CommandBuffer(false)
		e := cb.Pass(SerialCompute)
		e.SetThreadgroupMemory(64, 0)
		for range 3 {
			p.dispatch(e, name, out)
		}
		e.End()
		cb.Commit()
		cb.WaitUntilCompleted()
		if word(out, 15) != 0 {
			t.Errorf("%s writes % x", name, out.bytes)
		}
		p.want(want)
	}
}

// TestAlignmentIsOfAddresses tests that a vector is aligned by its address, wherever its window and others begin.
func TestAlignmentIsOfAddresses(t *testing.T) {
	for offset, want := range map[int]string{4: "", 8: "alignment"} {
		p := newProgram(t)
		b := p.words(1024, BufferOptions{Written: true})
		cb := p.Queue().CommandBuffer(false)
		e := cb.Pass(SerialCompute)
		e.SetPipeline(p.pipeline("vectors"))
		e.SetBuffer(b, offset, 0)
		e.SetBuffer(b, 2048, 1)
		e.DispatchThreads(metalrun.Size{X: 16, Y: 1, Z: 1}, metalrun.Size{X: 16, Y: 1, Z: 1})
		e.End()
		cb.Commit()
		cb.WaitUntilCompleted()
		p.want(want)
	}
}

// TestFaultsGoOn tests that wrong accesses are dropped or go to their bytes.
func TestFaultsGoOn(t *testing.T) {
	p := newProgram(t)
	in, out := p.Buffer(bytes.Repeat([]byte{1, 2, 3, 4}, 16), BufferOptions{Written: true}), p.words(16,
		BufferOptions{})
	cb := p.Queue().CommandBuffer(false)
	e := cb.Pass(SerialCompute)
	p.dispatch(e, "shifted", in, out)
	e.End()
	cb.Commit()
	cb.WaitUntilCompleted()
	if word(out, 11) != 0x04030201 || word(out, 12) != 0 {
		t.Errorf("shifted writes % x", out.bytes)
	}
	cb = p.Queue().CommandBuffer(false)
	e = cb.Pass(SerialCompute)
	p.dispatch(e, "odd", in, out)
	e.End()
	cb.Commit()
	cb.WaitUntilCompleted()
	if word(out, 3) != 0x02010403 || word(out, 15) != 0 {
		t.Errorf("odd writes % x", out.bytes)
	}
	p.want("range, alignment, range")
}
