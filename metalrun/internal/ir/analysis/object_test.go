package analysis

import "testing"

// TestDestinations has pointers that move, and pointers that are chosen.
func TestDestinations(t *testing.T) {
	const out, more = 0, 1
	for body, want := range map[string]struct {
		leads int // wherever it was computed
		chain int // along temporaries
	}{
		"out[i] = 1;":                       {out, out},
		"more[i] = 1;":                      {more, more},
		"(more + ulong(n) * 4)[i] = 1;":     {more, more},
		"(n > 3 ? more : out)[i] = 1;":      {NoObject, NoObject},
		"(n > 3 ? more : more + 4)[i] = 1;": {more, NoObject},
		"device float *p = more; for (uint k = 0; k < n; k++) { *p = 1; p += n; }":  {more, NoObject},
		"device float *p = more; for (uint k = 0; k < n; k++) { *p = 1; p = out; }": {NoObject, NoObject},
	} {
		k := kernel(t, body)
		u, mem := InThreadgroup(k), lastStore(k).Mem
		leads, chain := u.Destinations()[mem.Base], u.PointsInto(mem.Base, mem.Space)
		if leads != want.leads || chain != want.chain {
			t.Errorf("%s: leads to %d, points into %d, want %v\n%v", body, leads, chain, want, k)
		}
	}
}

// TestAligned has vectors at places that are known to be multiples of their alignment, and others.
func TestAligned(t *testing.T) {
	for body, want := range map[string]bool{
		"out[i] = 1;":                                 true,
		"((device float4 *)out)[i] = 1;":              true,
		"((device float4 *)out)[i + 1] = 1;":          true,
		"((device float4 *)(out + 4))[i] = 1;":        true,
		"((device float4 *)(out + 1))[i] = 1;":        false,
		"((device float4 *)(out + n))[i] = 1;":        false,
		"*(device float4 *)&out[i] = 1;":              false,
		"((device packed_float4 *)(out + 1))[i] = 1;": true,
	} {
		k := kernel(t, body)
		if got := Aligned(k, lastStore(k)); got != want {
			t.Errorf("%s: %t, want %t\n%v", body, got, want, k)
		}
	}
}
