package reports

import (
	"strings"
	"testing"

	"metalconform/internal/budget"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReadBench(t *testing.T) {
	const file = `goos: linux

BenchmarkConform/rms/dim=4/input=normal-8 7 2000 ns/op 500 ns/elem
BenchmarkConform/rms/dim=4/input=normal-8 7 2500 ns/op 500 ns/elem
BenchmarkConform/rms/dim=5/input=normal 7 3000 ns/op
BenchmarkOther/rms/dim=5/input=normal 7 1 ns/op
`
	got, err := ReadBench(strings.NewReader(file), "bench.txt", nil)
	want := map[string][]float64{"rms/dim=4/input=normal": {2e-6, 2.5e-6}, "rms/dim=5/input=normal": {3e-6}}
	if diff := cmp.Diff(want, got.Seconds, cmpopts.EquateApprox(1e-12, 0)); diff != "" || err != nil {
		t.Errorf("%v, times (-want +got):\n%s", err, diff)
	}
	if _, err := ReadBench(strings.NewReader("BenchmarkConform/x 1\n"), "bench.txt", nil); err == nil ||
		!strings.HasPrefix(err.Error(), "bench.txt:1: ") {
		t.Errorf("a row without values: %v", err)
	}
}

// Rates are the best of their rows. Heat may change within a file, but not the clock.
func TestReadBenchSettings(t *testing.T) {
	const file = `backend: metal (GPU time)
thermal: nominal

BenchmarkConform/rms/dim=4 7 2000 ns/op
thermal: fair
BenchmarkConform/rms/dim=5 7 2000 ns/op
thermal:
BenchmarkRoof/copy-2 7 1000 ns/op 4e+11 B/s
BenchmarkRoof/copy-2 7 1000 ns/op 3e+11 B/s
BenchmarkRoof/fma-2 7 1000 ns/op 1e+13 op/s
`
	got, err := ReadBench(strings.NewReader(file), "bench.txt", nil)
	want := Times{
		Seconds:  map[string][]float64{"rms/dim=4": {2e-6}, "rms/dim=5": {2e-6}},
		Settings: map[string]string{"backend": "metal (GPU time)", "thermal": "nominal and fair", "threads": "2"},
		Rates:    map[string]float64{"copy": 4e11, "fma": 1e13},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0)); diff != "" || err != nil {
		t.Errorf("%v, times (-want +got):\n%s", err, diff)
	}
	mixed := file + "backend: metal (wall time on CPU)\nBenchmarkConform/rms/dim=4 7 1 ns/op\n"
	if _, err := ReadBench(strings.NewReader(mixed), "bench.txt", nil); err == nil || !strings.HasPrefix(err.Error(),
		`bench.txt:12: times with backend "metal (wall time on CPU)" beside those with "metal (GPU time)"`) {
		t.Errorf("times by two clocks: %v", err)
	}
}

// Rows count, those of other benchmarks too, and a time that is no number is refused at its line.
func TestBenchRows(t *testing.T) {
	const row = "BenchmarkOther 1 7 ns/op\n"
	b := budget.New(budget.Own)
	if err := b.Set("rows=3"); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBench(strings.NewReader(strings.Repeat(row, 3)), "b.txt", b); err != nil {
		t.Error(err)
	}
	if _, err := ReadBench(strings.NewReader(row), "b.txt", b); err == nil ||
		err.Error() != "b.txt:1: more than 3 rows of files of times, which -budget rows=N can raise" {
		t.Errorf("got %v", err)
	}
	for _, x := range []string{"NaN"} {
		text := "BenchmarkConform/k/n=1 1 " + x + " ns/op\n"
		if _, err := ReadBench(strings.NewReader(text), "b.txt", nil); err == nil ||
			!strings.HasPrefix(err.Error(), "b.txt:1: ") {
			t.Errorf("%s: got %v", x, err)
		}
	}
}
