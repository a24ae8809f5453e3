package simt

import "testing"

// endForms are loops whose counters are consecutive in all threads, in each simdgroup, or in neither.
var endForms = []struct{ name, body string }{
	{"all threads", "for (c = id; c < n; c += 32) s += a[c & 63];"},
	{"each simdgroup alike", "for (c = lane; c < n; c += 8) s += a[c & 63];"},
	{"each simdgroup from its own", "for (c = lane + 100 * simdgroup; c < n * 20; c += 50) s += a[c & 63];"},
	{"some simdgroups do not begin", "for (c = lane + 32 * simdgroup; c < 32; c += 7) s += a[c & 63];"},
	{"with a sign", "for (int k = int(lane) - 40; k < int(n); k += 9) s += a[k & 63];"},
	{"with a sign, all threads", "for (int k = int(id) - 40; k < int(n) - 30; k += 64) s += a[k & 63];"},
	{"numbers that wrap", "for (c = id + 0xfffffff0u; c < n; c += 5) s += a[c & 63];"},
	{"numbers that wrap in a simdgroup", "for (c = lane + 0xfffffff0u; c < n; c += 5) s += a[c & 63];"},
	{"least number", "for (int k = int(id + 0x7ffffff0u); k < 0; k += 0x10000000) s += a[k & 63];"},
	{"lanes that leave", "for (c = lane; c < n; c += 3) { if (a[c & 63] > 0.5f) break; s += a[c & 63]; }"},
	{"lanes that skip", "for (c = lane; c < n; c += 3) { if (a[c & 63] > 0.5f) continue; s += a[c & 63]; }"},
	{"in a branch", "if (id % 3 != 0) for (c = lane; c < n; c += 4) s += a[c & 63];"},
	{"a counter that nothing else reads", "for (uint k = id; k < n * 30; k += 96) s += a[k & 63];"},
	{"such a counter in a turn of another loop",
		"for (c = 0; c < n; c++) for (uint k = id; k < 20 * c + 1; k += 96) s += a[k & 63];"},
	{"a counter that goes on", "uint k = id; for (c = 0; c < n; c++) for (; k < 50 * c; k += 13) s += a[k & 63];"},
	{"a counter that begins anew", "for (uint k = id; k < 0x98000000u + n; k += 0x90000000u) s += a[k & 63];"},
	{"a function that is left early", "for (uint k = id; k < n * 30; k += 96) s += chosen(a, k & 63);"},
	{"number of the simdgroup", "for (uint k = simdgroup; k < n; k += 2) s += a[k & 63];"},
	{"simdgroups that do not begin", "for (uint k = simdgroup * 5; k < n; k += 2) s += a[k & 63];"},
	{"a limit that is chosen",
		"const uint e = p[1] > 30 ? n : 3; for (uint k = id; k < e * 30; k += 96) s += a[k & 63];"},
	{"a limit that falls", "uint e = n * 30; for (uint k = id; k < e; k += 40) { s += a[k & 63]; e -= 50; }"},
	{"a limit that falls in a branch",
		"uint e = n * 30; for (uint k = id; k < e; k += 40) { s += a[k & 63]; if (n > 4) e -= 50; }"},
	{"steps that grow", "uint d = 7; for (uint k = simdgroup; k < n * 30; k += d) { s += a[k & 63]; d += 3; }"},
	{"descending", "for (c = 70 - id; c < n; c += 32) s += a[c & 63];"},
}

// TestLoopEnds compares launches with the definition: the first and the last lane of a line may decide for
// those between only where they can.
func TestLoopEnds(t *testing.T) {
	for _, form := range endForms {
		text := products(form.body)
		for _, l := range headLaunches {
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}
