package syntax

import "testing"

// BenchmarkParse parses every shader of the repository and every program of
// testdata once an iteration.
func BenchmarkParse(b *testing.B) {
	all := programs(b)
	size := 0
	for _, text := range all {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for name := range all {
			if _, errs := Parse(name, all, Config{}); errs != nil {
				b.Fatal(errs)
			}
		}
	}
}
