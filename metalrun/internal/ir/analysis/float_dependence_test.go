package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// TestFloatDependence has indices of stores that depend on floats: by computing, by decisions, by memory.
func TestFloatDependence(t *testing.T) {
	for want, bodies := range map[bool][]string{
		true: {
			"out[uint(in[i])] = 1;",
			"out[as_type<uint>(in[i]) & 7] = 1;",
			"uint j = n; if (in[i] > 3) { j = 2; } out[j] = 1;",
			"uint j = 0; for (uint k = 0; k < n; k++) { if (in[k] > 3) { break; } j += k; } out[j] = 1;",
			"uint j = 0; for (float x = in[i]; x < 9; x += 1) { j++; } out[j] = 1;",
			"uint s[9]; s[n] = uint(in[i]); out[s[lane]] = 1;",
			"uint s[9], r[9]; thread uint *p = n > 3 ? s : r; *p = uint(in[i]); out[r[lane]] = 1;",
			"atomic_store_explicit(hits, uint(in[i]), memory_order_relaxed); " +
				"out[atomic_load_explicit(hits, memory_order_relaxed)] = 1;",
		},
		false: {
			"out[i] = in[i];",
			"out[table[i]] = in[i];",
			"uint j = n; if (n > 3) { j = 2; } out[j] = 1;",
			"uint j = 0; for (uint k = 0; k < n; k++) { j += k; } out[j] = 1;",
			"if (in[i] > 3) { return; } out[i] = 1;",
			"uint s[9], r[9]; s[n] = uint(in[i]); r[n] = i; more[s[n]] = 1; out[r[lane]] = 1;",
			"out[atomic_load_explicit(hits, memory_order_relaxed)] = 1;",
		},
	} {
		for _, body := range bodies {
			k := kernel(t, body)
			if got := DependsOnFloats(k, 0).Depends(lastStore(k).Mem.Index); got != want {
				t.Errorf("%s: %t, want %t\n%v", body, got, want, k)
			}
		}
	}
}

// TestContents has buffers that hold what depends on floats from the beginning, and buffers that get it.
func TestContents(t *testing.T) {
	const table = 3
	k := kernel(t, "out[table[i]] = in[i]; more[i] = 3;")
	for _, carried := range []bool{false, true} {
		var bits uint32
		if carried {
			bits = 1 << table
		}
		x := DependsOnFloats(k, bits)
		at := func(object int) *Contents { return x.At(MemoryObject{Space: syntax.Device, Object: object}) }
		var index ir.Reg
		for in := range ir.Instrs(k.Body...) {
			if in.Op == ir.Store && index == 0 {
				index = in.Mem.Index
			}
		}
		if x.Depends(index) != carried || at(table).Depends != carried || !at(0).Depends || at(4) != nil {
			t.Errorf("carried %t: index %t, table %v, out %v, hits %v",
				carried, x.Depends(index), at(table), at(0), at(4))
		}
	}
	k = kernel(t, "((device ushort *)more)[i] = 3; out[i] = more[n];")
	if c := DependsOnFloats(k, 0).At(MemoryObject{Space: syntax.Device, Object: 1}); !c.Mixed() || c.Log() != 1 {
		t.Errorf("floats and halves of integers: mixed %t, cells of %d bytes", c.Mixed(), 1<<c.Log())
	}
}
