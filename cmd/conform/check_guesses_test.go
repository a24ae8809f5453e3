package main

import (
	"strings"
	"testing"

	"metalconform/internal/exit"
)

// What guesses are to blame for is a note. The twin of each kernel, with a fault of its own at the same place, has a
// finding.
func TestGuessesToBlame(t *testing.T) {
	const header = "#include <metal_stdlib>\nusing namespace metal;\n"
	tests := map[string]struct {
		source     string
		good, twin string // what stands for $
		note       string // of the good one; "" for none
		check      string // of the twin
	}{
		"memory that a constant decides on": {
			source: `constant short tiles [[function_constant(0)]];
kernel void tile(device float *out [[buffer(0)]], threadgroup float *part [[threadgroup(0)]], ushort lane [[thread_index_in_simdgroup]]) {
  threadgroup float own[64];
  own[lane] = lane;
  for (short i = 0; i < tiles * 256; i += 32) { part[i + lane] = own[$]; }
  out[lane] = part[lane];
}`,
			good: "lane", twin: "64 + lane", note: "-local 0=N", check: ": fault: read of 4 bytes",
		},
		"memory that nothing decides on": {
			source: `kernel void tile(device float *out [[buffer(0)]], threadgroup float *part [[threadgroup(0)]], ushort lane [[thread_index_in_simdgroup]]) {
  for (int i = 0; i < $; i += 32) { part[i + lane] = lane; }
  out[lane] = part[lane];
}`,
			good: "8192", twin: "16384", check: ": fault: write of 4 bytes",
		},
		"indices and numbers behind void": {
			source: `struct P { int n; };
kernel void scatter(constant P &p [[buffer(0)]], device const void *values [[buffer(1)]], device const void *rows [[buffer(2)]],
                    device int *out [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  if (i >= uint(p.n)) return;
  long row = ((device const long *)rows)[i / 64];
  float largest = ((device const float *)values)[i];
  out[row * p.n + i] = int($ / largest);
}`,
			good: "1.0f", twin: "1e30f", check: ": undefined: ",
		},
		"steps of a template": {
			source: `template <int STEP> kernel void scale(device float *out [[buffer(0)]], device const float *x [[buffer(1)]], constant uint &n [[buffer(2)]], uint g [[threadgroup_position_in_grid]],
                    uint t [[thread_position_in_threadgroup]]) {
  for (uint i = t; i < n; i += STEP) { out[g * n + $] = 2 * x[g * n + i]; }
}
template [[host_name("scale128")]] kernel void scale<128>(device float *, device const float *, constant uint &, uint, uint);`,
			good: "i", twin: "i / 2", check: ": race: ",
		},
		"heads that share": {
			source: `kernel void share(device float *out [[buffer(0)]], device const float *k [[buffer(1)]], constant int &shared [[buffer(2)]], uint2 g [[threadgroup_position_in_grid]],
                  uint2 n [[threadgroups_per_grid]], uint t [[thread_index_in_threadgroup]]) {
  int head = g.x / (int(n.x) / $);
  out[(g.y * n.x + g.x) * 256 + t] = k[head * 256 + t];
}`,
			good: "shared", twin: "(shared | 1024)", note: "undefined with guessed integers", check: ": undefined: ",
		},
		"the first thread along all axes": {
			source: `kernel void first(device uint *out [[buffer(0)]], uint3 at [[thread_position_in_threadgroup]], uint3 i [[thread_position_in_grid]]) {
  threadgroup uint part[1];
  if (all(at == uint3(0))) { part[0] = i.x; }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[$] = i.x - part[0];
}`,
			good: "i.x", twin: "i.x / 2", check: ": race: ",
		},
		"a count beside where rows begin": {
			source: `struct Grid { uint n; float cell; uint starts[1]; };
kernel void cells(device const Grid *g [[buffer(0)]], device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint b = i * 77 % ($), sum = 0;
  for (uint j = g->starts[b]; j < g->starts[b + 1]; ++j) { sum += j; }
  out[i] = sum;
}`,
			good: "g->n", twin: "g->n & 256", check: ": undefined: ",
		},
		"tiles that are wider than their threads are high": {
			source: `kernel void turn(device float *to [[buffer(0)]], device const float *from [[buffer(1)]], constant uint2 &n [[buffer(2)]], uint2 g [[threadgroup_position_in_grid]],
                 uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32][33];
  for (uint j = 0; j < 32; j += 8) { tile[t.y + j][t.x] = from[min(g.y * 32 + t.y + j, n.y - 1) * n.x + min(g.x * 32 + t.x, n.x - 1)]; }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint j = 0; j < 32; j += 8) {
    if (g.y * 32 + t.x < n.y && g.x * 32 + t.y + j < n.x) { to[(g.x * 32 + t.y + j) * n.y + g.y * 32 + t.x] = tile[$][t.y + j]; }
  }
}`,
			good: "t.x", twin: "t.x + 1", note: "nothing is found in those of 32 × 8 × 1", check: ": uninitialised: ",
		},
		"rows of matrices": {
			source: `struct P { int n; ulong nb1; ulong nb2; };
kernel void rows(constant P &p [[buffer(0)]], device char *out [[buffer(1)]], uint3 g [[threadgroup_position_in_grid]], ushort t [[thread_index_in_threadgroup]]) {
  device float4x4 *row = (device float4x4 *)(out + g.x * p.nb1 + g.y * p.nb2);
  for (int i = t; i < p.n; i += 32) { row[$] = float4x4(g.x + g.y * 7 + i); }
}`,
			good: "i", twin: "i + g.x * 80 - g.x * i", note: "race with guessed integers", check: ": race: ",
		},
		"rows of long indices": {
			source: `struct P { int n; ulong nb0; ulong nb1; ulong nb2; };
kernel void copy(constant P &p [[buffer(0)]], device const char *rows [[buffer(1)]], device char *out [[buffer(2)]], uint3 g [[threadgroup_position_in_grid]],
                 ushort t [[thread_index_in_threadgroup]]) {
  long r = *(device const long *)(rows + g.x * p.nb0);
  for (int i = t; i < p.n; i += 32) { ((device float *)(out + r * p.nb1 + g.y * p.nb2))[$] = g.x + i; }
}`,
			good: "i", twin: "0", note: "race with guessed integers", check: ": race: ",
		},
		"positions beside an axis that the host has put together": {
			source: `struct P { int n; int heads; };
kernel void rows(constant P &p [[buffer(0)]], device float *out [[buffer(1)]], uint3 g [[threadgroup_position_in_grid]], ushort t [[thread_index_in_threadgroup]]) {
  int head = $;
  device float *row = out + (head + g.z / p.heads * p.heads) * p.n + g.y * p.n;
  for (int i = t; i < p.n; i += 32) { row[i] = g.z + i; }
}`,
			good: "g.z % p.heads", twin: "g.z % p.heads * 0",
			note: "race with guessed integers, and nothing of the kind with -grid 1,1,2", check: ": race: ",
		},
		"an offset behind what others write": {
			source: `struct P { int n; ulong at; };
kernel void both(constant P &p [[buffer(0)]], device float *out [[buffer(1)]], uint g [[threadgroup_position_in_grid]], ushort t [[thread_index_in_threadgroup]]) {
  device float *state = (device float *)((device char *)out + p.at);
  for (int i = t; i < p.n; i += 32) { out[g * p.n + i] = i; state[$ * p.n + i] = g; }
}`,
			good: "g", twin: "(g & 1)", note: "race with guessed integers", check: ": race: ",
		},
		"blocks of lengths by which indices are multiplied": {
			source: `struct P { int width, height; };
kernel void blocks(constant P &p [[buffer(0)]], device float *out [[buffer(1)]], uint3 g [[threadgroup_position_in_grid]], ushort t [[thread_index_in_simdgroup]]) {
  if (int(g.x) > p.width || int(g.y) > p.height) { return; }
  int across = (p.width + 63) / 64, down = (p.height + 63) / 64;
  if (t == 0) { out[(g.z * down + g.y) * across + $] = g.x + 4 * g.y; }
}`,
			good: "g.x", twin: "(g.x & 0)",
			note:  "race with guessed integers, and nothing of the kind with -arg p.width=256 -arg p.height=256",
			check: ": race: ",
		},
		"more than buffers may hold": {
			source: `struct P { int a, b, c, d; };
kernel void far(constant P &p [[buffer(0)]], device float *out [[buffer(1)]], uint g [[threadgroup_position_in_grid]], ushort t [[thread_index_in_simdgroup]]) {
  out[p.a * p.b * p.c * p.d + g * 32 + t] = $;
}`,
			good: "t", twin: "out[-1 - int(t)]",
			note:  "fault with guessed integers, and nothing of the kind with -size 32",
			check: ": fault: read of 4 bytes at offset -4 ",
		},
		"a stride that a fault hides": {
			source: `struct P { int n, which; ulong nb1; ulong nb2; };
kernel void rows(constant P &p [[buffer(0)]], device char *out [[buffer(1)]], uint3 g [[threadgroup_position_in_grid]], ushort t [[thread_index_in_threadgroup]]) {
  int first[4] = {0, 0, 0, 0};
  first[p.which] = 1;
  device float *row = (device float *)(out + g.x * p.nb1 + g.y * p.nb2) + first[1];
  for (int i = t; i < p.n; i += 256) { row[$] = g.x + g.y * 7 + i; }
}`,
			good: "i", twin: "i & 1", note: "race with guessed integers", check: ": race: ",
		},
		"an offset within a shorter length": {
			source: `struct P { int n, shift; };
kernel void roll(constant P &p [[buffer(0)]], device const float *in [[buffer(1)]], device float *out [[buffer(2)]], ushort t [[thread_index_in_threadgroup]]) {
  for (int i = t; i < p.n; i += 256) {
    int from = i - p.shift;
    if (from < 0) { from += p.n; }
    out[i] = in[$];
  }
}`,
			good: "from", twin: "from - p.n + 12", check: ": fault: read of 4 bytes at offset ",
		},
	}
	for name, test := range tests {
		text, status := checkExec(t, header+strings.Replace(test.source, "$", test.good, 1))
		if status != exit.Conforms || !strings.Contains(text, test.note) ||
			test.note == "" && strings.Contains(text, "note: ") {
			t.Errorf("%s: status %d, want a note with %q:\n%s", name, status, test.note, text)
		}
		text, status = checkExec(t, header+strings.Replace(test.source, "$", test.twin, 1))
		if status != exit.Fails || !strings.Contains(text, test.check) {
			t.Errorf("%s, twin: status %d, want %q:\n%s", name, status, test.check, text)
		}
	}
}

// Partial results of simdgroups that a threadgroup does not have are read at sizes that function constants exclude,
// and races of those that it has count. What nobody writes at the size that they ask for is a finding.
func TestCountedSimdgroups(t *testing.T) {
	const kernel = `#include <metal_stdlib>
using namespace metal;
constant short rows_nsg [[function_constant(1)]];
kernel void sums(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]],
                 ushort simdgroup [[simdgroup_index_in_threadgroup]], ushort t [[thread_index_in_threadgroup]]) {
  threadgroup float part[160];
  float sum = simd_sum(in[t]);
  if (lane == 0) { part[simdgroup] = sum; }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float all = 0;
    for (short i = 0; i < rows_nsg; i++) { all += part[$]; }
    out[1] = all;
  }
  part[40 + lane] = lane;
  part[80 + lane] = lane;
}
`
	for index, want := range map[string][]string{
		"i": {": note: uninitialised in threadgroups of 32 threads, and nothing is found in those of 256: ",
			"warning: "},
		"i + 128": {": uninitialised: "},
	} {
		text, _ := checkExec(t, strings.Replace(kernel, "$", index, 1))
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("part[%s]: want %q:\n%s", index, part, text)
			}
		}
	}
}
