package metalrun

import (
	"fmt"
	"strings"
	"testing"
)

// TestNeverRuns has kernels that compile and that no device can run, and others that look alike. Each declares what
// stands in the body; t is the thread's index.
func TestNeverRuns(t *testing.T) {
	for body, bytes := range map[string]int{ // 0: no warning
		"threadgroup float s[8192]; s[t] = y[t]; y[t] = s[0];":                                 0,
		"threadgroup float s[8193]; s[t] = y[t]; y[t] = s[0];":                                 32772,
		"threadgroup float s[16384]; s[t] = 1; y[t] = 2;":                                      0, // it is never read
		"threadgroup float s[16384]; threadgroup float *p = s + t; *p = 1; y[t] = 2;":          0,
		"threadgroup float s[16384]; threadgroup float *p = s + t; *p = 1; y[t] = p[-1];":      65536,
		"threadgroup float a[6000], b[6000]; a[t] = y[t]; b[t] = y[t]; y[t] = a[0] + b[1];":    48000,
		"threadgroup float a[6000], b[6000]; a[t] = y[t]; b[t] = y[t]; y[t] = a[0];":           0,
		"threadgroup float s[9000]; s[t] += 1; y[t] = 2;":                                      36000,
		"threadgroup atomic_uint s[9000]; atomic_store_explicit(s, 1u, memory_order_relaxed);": 36000,
	} {
		p, err := Analyse(SourceText("k.metal", "#include <metal_stdlib>\nusing namespace metal;\n"+
			"kernel void k(device float *y, uint t [[thread_position_in_threadgroup]]) { "+body+" }"), CompileOptions{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		w := p.Warnings()
		if bytes == 0 && len(w) > 0 || bytes > 0 && (len(w) != 1 || w[0].Code != "never-runs" ||
			!strings.Contains(w[0].Message, fmt.Sprint(" ", bytes, " bytes"))) {
			t.Errorf("%s: got %v, want %d bytes", body, w, bytes)
		}
	}
}
