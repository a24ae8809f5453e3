package metalrun

import (
	"strings"
	"testing"
)

// TestNeverRuns has kernels that compile and that no device can run, and others that look alike. Each declares what
// stands before the body; t is the thread's index.
func TestNeverRuns(t *testing.T) {
	const warned = "no GPU runs k: it declares "
	for body, want := range map[string]string{
		"threadgroup float s[8192]; s[t] = y[t]; y[t] = s[0];":                              "",
		"threadgroup float s[8193]; s[t] = y[t]; y[t] = s[0];":                              warned + "32772 bytes",
		"threadgroup float s[16384]; s[t] = 1; y[t] = 2;":                                   "", // it is never read
		"threadgroup float s[16384]; threadgroup float *p = s + t; *p = 1; y[t] = 2;":       "",
		"threadgroup float s[16384]; threadgroup float *p = s + t; *p = 1; y[t] = p[-1];":   warned + "65536 bytes",
		"threadgroup float a[6000], b[6000]; a[t] = y[t]; b[t] = y[t]; y[t] = a[0] + b[1];": warned + "48000 bytes",
		"threadgroup float a[6000], b[6000]; a[t] = y[t]; b[t] = y[t]; y[t] = a[0];":        "",
		"threadgroup float a[6000]; { threadgroup float b[6000]; b[t] = y[t]; y[t] = b[3]; } a[t] = 1; y[t] = a[0];": warned +
			"48000 bytes",
		"threadgroup float s[9000]; s[t] += 1; y[t] = 2;":                                                        warned + "36000 bytes",
		"threadgroup atomic_uint s[9000]; atomic_fetch_add_explicit(&s[t], 1u, memory_order_relaxed); y[t] = 2;": warned + "36000 bytes",
	} {
		p, err := Analyse(SourceText("k.metal", "#include <metal_stdlib>\nusing namespace metal;\n"+
			"kernel void k(device float *y, uint t [[thread_position_in_threadgroup]]) { "+body+" }"), CompileOptions{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		got := ""
		if w := p.Warnings(); len(w) > 0 {
			got = w[0].Message
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}
