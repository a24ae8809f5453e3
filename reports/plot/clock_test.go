package plot

import (
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/bench"
)

// TestClock: figures of times say between which clocks they were taken, of measurements and of a file of them.
func TestClock(t *testing.T) {
	const want = " It ran at 54 to 99 % of the fastest that was seen."
	b := NewBench()
	for _, clock := range []float64{0.99, 0, 0.54} {
		b.Add("metal", bench.Measurement{Result: suite.Result{Case: "c"}, Clock: metalrun.GPUClock,
			Times: []timing.Time{{Median: 1, Clock: clock}}})
	}
	if got := (Data{Bench: b}).whatTimes(); !strings.HasSuffix(got, want) {
		t.Errorf("of measurements: %s", got)
	}
	const rows = "backend: metal (GPU time)\nBenchmarkConform/a 7 100 ns/op 0.99 clock 0 dropped\n" +
		"BenchmarkConform/b 7 100 ns/op 0.54 clock 3 dropped\nBenchmarkConform/c 7 100 ns/op\n"
	times, err := reports.ReadBench(strings.NewReader(rows), "bench.txt", nil)
	if err != nil {
		t.Fatal(err)
	}
	b = NewBench()
	if err := b.Append(times); err != nil {
		t.Fatal(err)
	}
	if got := (Data{Bench: b}).whatTimes(); !strings.HasSuffix(got, want) {
		t.Errorf("of a file: %s", got)
	}
	if got := (Data{Bench: NewBench()}).whatTimes(); strings.Contains(got, "fastest") {
		t.Errorf("where nobody looked: %s", got)
	}
}
