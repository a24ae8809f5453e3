package air

import "testing"

// BenchmarkLower reads and lowers the libraries of CONFORM_METALLIBS.
func BenchmarkLower(b *testing.B) {
	for b.Loop() {
		for _, l := range libraries(b) {
			for _, k := range l.Kernels {
				k.Lower(none)
			}
		}
	}
}
