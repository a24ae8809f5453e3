package simt

import (
	"bytes"
	"fmt"
	"testing"

	"metalconform/metalrun/internal/simt/machine"
)

// streaming is a kernel whose threadgroups write a row each, its first words side by side and the others in turns.
func streaming(last string) string {
	return fmt.Sprintf(`#include <metal_stdlib>
using namespace metal;
kernel void f(device float* b, device const float* a, device float* other, constant uint* p,
              uint id [[thread_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]],
              uint threads [[threads_per_threadgroup]]) {
    device float* row = b + group * p[1] + p[2];
    row[id] = fast::sqrt(a[id] - 2) * 0.5f;
    for (uint k = id; k < p[0]; k += threads) row[threads + k] = a[k] / 3;
    %s
}`, last)
}

// TestStream writes rows that begin anywhere to a buffer that caches hold and to one that they do not: the same,
// whether the kernel reads it or not. Only what it does not read streams.
func TestStream(t *testing.T) {
	const threads, groups = 48, 3
	for _, c := range []struct {
		name, last string
		unread     bool
	}{
		{"never read", "", true},
		{"another one read", "if (other[0] < 0) row[0] = other[1];", true},
		{"read", "if (row[1] < -9) row[0] = 1;", false},
		{"read by a cast", "if (*(device uint*)(b + p[0]) == 7) row[0] = 1;", false},
		{"counted", "if (id > 99) atomic_fetch_add_explicit((device atomic_uint*)b, 1u, memory_order_relaxed);", false},
	} {
		p := Compile(lower(t, streaming(c.last)), machine.Options{Workers: 1})
		copied, table, streamed := p.Table.Stream, *p.Table, 0
		table.Stream = func(d, a []uint32) {
			streamed++
			copied(d, a)
		}
		p.Table = &table
		for shift := range uint32(18) {
			var outcomes [2][]byte
			for i, size := range []int{1 << 12, machine.MostCached} {
				b := make([]byte, size)
				streamed = 0
				err := p.Run(Launch{Threads: machine.Size{threads * groups, 1, 1},
					PerGroup: machine.Size{threads, 1, 1}, Buffers: []machine.Buffer{
						{Index: 0, Bytes: b}, {Index: 1, Bytes: floats(300)}, {Index: 2, Bytes: floats(4)},
						{Index: 3, Bytes: littleEndian([]uint32{200, 307, shift})},
					}})
				if err != nil {
					t.Fatal(err)
				}
				if want := c.unread && size == machine.MostCached; (streamed > 0) != want {
					t.Errorf("%s, %d bytes: %d rows stream, want some: %v", c.name, size, streamed, want)
				}
				outcomes[i] = b[:1<<12]
			}
			if !bytes.Equal(outcomes[0], outcomes[1]) {
				t.Errorf("%s, rows from word %d on: other bytes in a larger buffer", c.name, shift)
			}
		}
	}
}

// TestTake takes all threadgroups, once and in order.
func TestTake(t *testing.T) {
	for _, total := range []int{0, 1, 7, 64, 1000} {
		for _, workers := range []int{1, 2, 16} {
			var c machine.Counter
			next := 0
			for {
				first, end := c.Take(total, workers)
				if first == total {
					break
				}
				if most := max(1, (total-first)/workers); first != next || end <= first || end-first > most {
					t.Fatalf("%d threadgroups, %d workers: took %d to %d after %d, want at most %d", total, workers,
						first, end, next, most)
				}
				next = end
			}
			if next != total {
				t.Errorf("%d threadgroups, %d workers: took %d", total, workers, next)
			}
		}
	}
}
