package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
)

// TestTellsArrival has atomics whose order of arrival shows in what they leave or give, and others.
func TestTellsArrival(t *testing.T) {
	for body, want := range map[string]bool{
		"atomic_fetch_add_explicit(hits, 1, memory_order_relaxed);":                     false,
		"out[atomic_fetch_add_explicit(hits, 1, memory_order_relaxed)] = 1;":            true,
		"atomic_fetch_max_explicit(hits, i, memory_order_relaxed);":                     false,
		"if (atomic_fetch_max_explicit(hits, i, memory_order_relaxed) > 3) out[i] = 1;": true,
		"atomic_fetch_add_explicit(sums, in[i], memory_order_relaxed);":                 true,
		"atomic_exchange_explicit(hits, i, memory_order_relaxed);":                      true,
		"atomic_store_explicit(hits, i, memory_order_relaxed);":                         false,
		"out[i] = atomic_load_explicit(hits, memory_order_relaxed);":                    false,
		"out[i] = 1;": false,
	} {
		if got := anyTellsArrival(kernel(t, body)); got != want {
			t.Errorf("%s: %t, want %t", body, got, want)
		}
	}
}

// anyTellsArrival reports whether a kernel has such an atomic.
func anyTellsArrival(k *ir.Kernel) bool {
	tells := TellsArrival(k)
	for in := range ir.Instrs(k.Body...) {
		if tells(in) {
			return true
		}
	}
	return false
}
