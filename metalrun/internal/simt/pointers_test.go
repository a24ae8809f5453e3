package simt

import (
	"testing"

	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/sanitize"
)

// TestDestinations has pointers that move and that are chosen: it is known which object they lead to where that is
// one, and what a kernel cannot write is not watched. Elements that are accessed together are one cell.
func TestDestinations(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		sites   int
		unknown bool
		cell    int64 // of threadgroup memory
	}{
		"moved": {"device const float *p = in; threadgroup float *q = s; for (uint i = 0; i < n; i++) { *q = *p; p " +
			"+= n; q += 1; } out[0] = s[n];", 3, false, 4},
		"chosen": {"threadgroup float *q = n > 3 ? s : r; *q = in[0]; out[0] = s[n];", 3, true, 4},
		"either": {"threadgroup float *q = n > 3 ? s : s + 4; *q = in[0]; out[0] = s[n];", 3, false, 4},
		"bytes":  {"threadgroup uchar4 *q = (threadgroup uchar4 *)s; *q = uchar4(n); out[0] = s[n];", 3, false, 4},
	} {
		kernel := lower(t,
			"using namespace metal; kernel void k(device float *out [[buffer(0)]], device const float *in "+
				"[[buffer(1)]], constant uint &n [[buffer(2)]]) { threadgroup float s[64], r[64]; "+c.body+" }")
		p := Compile(kernel, machine.Options{Check: true})
		if len(sanitize.CheckerOf(p.Program).Sites) != c.sites {
			t.Errorf("%s: %d accesses are watched, want %d", name, len(sanitize.CheckerOf(p.Program).Sites), c.sites)
		}
		if unknown := sanitize.CheckerOf(p.Program).Cells.Every != [2]int64{}; unknown != c.unknown {
			t.Errorf("%s: an access goes anywhere: %v, want %v", name, unknown, c.unknown)
		}
		if cell := sanitize.Narrower(sanitize.CheckerOf(p.Program).Cells.Size[analysis.FirstStatic],
			sanitize.CheckerOf(p.Program).Cells.Every[sanitize.ThreadgroupMemory]); cell != c.cell {
			t.Errorf("%s: cells of %d bytes, want %d", name, cell, c.cell)
		}
	}
}
