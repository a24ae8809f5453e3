package simt

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/sanitize"
)

// TestSaveBefore launches kernels that write here and there, some of which begin again since they read what they write.
// What the buffers held before is known without a copy.
func TestSaveBefore(t *testing.T) {
	for name, body := range map[string]string{
		"rows":   "a[id * 7 % 3000] = id; a[id] += 1;",
		"narrow": "b[id * 37] = char(id); b[id] = char(1);",
		"twice": "threadgroup float t[64]; t[id % 64] = id; a[id] = t[0]; " +
			"metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup); a[id] += t[(id + 1) % 64];",
		"counters": "metal::atomic_fetch_add_explicit(c + id % 2000, 3, metal::memory_order_relaxed);",
	} {
		kernel := lower(t,
			`kernel void k(device float *a [[buffer(0)]], device char *b [[buffer(1)]],
				device metal::atomic_uint *c [[buffer(2)]],
			uint id [[thread_position_in_grid]]) { `+body+" }")
		l := Launch{Threads: machine.Size{500, 1, 1}, PerGroup: machine.Size{64, 1, 1}}
		var before [][]byte
		for i := range 3 {
			b := bytes.Repeat([]byte{byte(i), 7, 40}, 8000)
			l.Buffers = append(l.Buffers, machine.Buffer{Index: i, Bytes: b})
			before = append(before, bytes.Clone(b))
		}
		d := l.dispatch()
		c, _ := observed(t, Compile(kernel, machine.Options{Check: true}), &d)
		c.SaveBefore()
		changed := false
		for i, want := range before {
			if !bytes.Equal(c.Before[i], want) {
				t.Errorf("%s: buffer %d is not what it was", name, i)
			}
			changed = changed || !bytes.Equal(l.Buffers[i].Bytes, want)
		}
		if !changed {
			t.Errorf("%s: nothing is written", name)
		}
	}
}

// TestPagePool launches a kernel again and again that accesses a little of a large buffer, with trials and without:
// what that allocates does not grow with the buffer.
func TestPagePool(t *testing.T) {
	const size, launches, most = 32 << 20, 20, 8 << 20
	kernel := lower(t,
		"kernel void k(device char *a [[buffer(0)]], uint id [[thread_position_in_grid]]) { a[id] += 1; }")
	p := Compile(kernel, machine.Options{Check: true})
	l := Launch{Threads: machine.Size{256, 1, 1}, PerGroup: machine.Size{64, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, size)}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range launches {
		if _, err := p.Check(l); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > most {
		t.Errorf("%d launches allocate %d bytes, want at most %d", launches, n, most)
	}
}

// TestParties has threadgroups with barriers and without, of which the last read what another has written: it is known
// which.
func TestParties(t *testing.T) {
	const barrier = " metal::threadgroup_barrier(metal::mem_flags::mem_none);"
	for _, writer := range []int{0, 3, 6} {
		for barriers, body := range []string{"", "if (g % 3 == 0) {" + barrier + " }",
			"if (g == 6 || g == 3) {" + barrier + barrier + " }", barrier} {
			kernel := lower(t,
				"kernel void k(device uint *a [[buffer(0)]], uint g [[threadgroup_position_in_grid]]) { "+
					body+fmt.Sprintf(" if (g == %d) { a[0] = g; }", writer)+body+" if (g == 9) { a[1] = a[0]; } }")
			l := Launch{Groups: machine.Size{10, 1, 1}, PerGroup: machine.Size{32, 1, 1},
				Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 8)}}}
			list, err := Compile(kernel, machine.Options{Check: true, SameValue: true}).Check(l)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, f := range list {
				if f.Among == sanitize.Threadgroups {
					found = true
					if f.Group[0] != 9 || f.Other.Group[0] != writer {
						t.Errorf("writer %d, barriers %d: between %v and %v", writer, barriers, f.Group, f.Other.Group)
					}
				}
			}
			if !found {
				t.Errorf("writer %d, barriers %d: no race", writer, barriers)
			}
		}
	}
}

// TestMoments has so many moments that there are no more: races are found among those that come.
func TestMoments(t *testing.T) {
	kernel := lower(t,
		"kernel void k(device uint *a [[buffer(0)]], uint g [[threadgroup_position_in_grid]]) { a[0] = g; }")
	p := Compile(kernel, machine.Options{Check: true})
	l := Launch{Groups: machine.Size{2, 1, 1}, PerGroup: machine.Size{1, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 8)}}}
	d := l.dispatch()
	if err := p.Validate(&d); err != nil {
		t.Fatal(err)
	}
	for now, races := range map[uint32]int{0: 1, sanitize.LastMoment - 1: 1, sanitize.LastMoment: 0,
		sanitize.LastMoment + 1: 1} {
		buffers, finish := machine.Bind(l.Buffers)
		c := &sanitize.Checked{P: p.Program, Want: &sanitize.Checks{}, Launch: &d, Buffers: buffers,
			PagePool: sanitize.NewPagePool(p.Program)}
		m := machine.NewMachine(p.Program, &d, buffers, 1)
		w := &sanitize.Sanitizer{Uninitialised: map[int]*sanitize.UninitialisedRead{}, Clock: sanitize.Clock{Now: now}}
		sanitize.Sanitize(m, w, c.PagePool)
		if err := c.Groups(m); err != nil {
			t.Fatal(err)
		}
		if n := len(w.Findings.List); n != races {
			t.Errorf("from moment %d: %d races, want %d", now, n, races)
		}
		if n := strings.Count(fmt.Sprint(w.Clock.Ranges), "{"); n != 1 {
			t.Errorf("from moment %d: threadgroups side by side are %d stretches", now, n)
		}
		finish()
		c.PagePool.Release()
	}
}
