package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
)

// TestAccessed has pointers of several buffers that go through selections and private memory.
func TestAccessed(t *testing.T) {
	const out, more, in, table = 1 << 0, 1 << 1, 1 << 2, 1 << 3
	for body, want := range map[string]struct{ read, written uint64 }{
		"out[i] = in[i];":                  {in, out},
		"out[i] = in[table[i]];":           {in | table, out},
		"(n > 3 ? out : more)[i] = in[i];": {in, out | more},
		"device float *p = out; for (uint k = 0; k < n; k++) { *p = 1; p = more + k; }": {0, out | more},
		"device float *p[2]; p[0] = out; p[1] = more; out[i] = *p[n];":                  {out | more, out},
		"device const float *p[2]; p[0] = in; p[1] = more; out[i] = p[n][i];":           {in | more, out},
	} {
		k := kernel(t, body)
		read, written := Accessed(k, ir.Reads), Accessed(k, ir.Writes)
		if read != want.read || written != want.written {
			t.Errorf("%s: reads %b, writes %b, want %b and %b\n%v", body, read, written, want.read, want.written, k)
		}
	}
}

// TestWritable has a buffer that is declared const: a cast makes it one that can be written.
func TestWritable(t *testing.T) {
	for body, want := range map[string]bool{
		"out[i] = in[i];":                            false,
		"((device float *)in)[i] = 1;":               true,
		"(n > 3 ? out : (device float *)in)[i] = 1;": true,
		"out[i] = ((device float *)in)[i];":          false,
	} {
		can := Writable(kernel(t, body))
		if !can[0] || !can[1] || can[3] || can[2] != want {
			t.Errorf("%s: %v, want %t for in", body, can, want)
		}
	}
}
