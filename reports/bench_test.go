package reports

import (
	"math"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"
	"metalconform/suite"
	"metalconform/suite/bench"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/perf/benchfmt"
)

func measurement(name string, cost suite.Cost, times ...timing.Time) bench.Measurement {
	return bench.Measurement{Result: suite.Result{Case: name, Status: suite.Pass}, Cost: cost, Times: times,
		Clock: metalrun.HostClock}
}

func TestBench(t *testing.T) {
	var b strings.Builder
	file := NewBench(&b, "simulator", 2, Setting{"goos", "linux"}, Setting{"commit", ""})
	for _, m := range []bench.Measurement{
		measurement("scale/n=4/input=normal", suite.Cost{Bytes: 32, Operations: 8, Elements: 4},
			timing.Time{Samples: 7, Median: 2000, Low: 1990, High: 2010, Close: true, Steady: true},
			timing.Time{Samples: 9, Median: 1234.5678, Low: 1111.1111, High: 1250, Steady: true}),
		measurement("copy/n=4/input=normal", suite.Cost{Bytes: 32, Elements: 4},
			timing.Time{Samples: 1, Median: 1e9, Low: math.Inf(-1), High: math.Inf(1)}),
		measurement("wrong/n=4/input=normal", suite.Cost{}),
	} {
		if err := file.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	want := `Unit ns/elem better=lower
Unit op/s better=higher
goos: linux
backend: simulator (wall time on CPU)

BenchmarkConform/scale/n=4/input=normal-2 7 2000 ns/op 500 ns/elem 1.6e+07 B/s 4e+06 op/s
BenchmarkConform/scale/n=4/input=normal-2 9 1234.6 ns/op 308.64 ns/elem 2.592e+07 B/s 6.48e+06 op/s
# scale/n=4/input=normal: the median of 9 samples is known to ±10.0 % only
BenchmarkConform/copy/n=4/input=normal-2 1 1e+09 ns/op 2.5e+08 ns/elem 32 B/s
# copy/n=4/input=normal: 1 sample, too few to tell how well the median is known; the samples had not become steady before the first that counts
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

// What Bench writes, the reader of benchstat reads: every row with its
// configuration, in base units, and no syntax error.
func TestBenchIsRead(t *testing.T) {
	var b strings.Builder
	file := NewBench(&b, "metal", 1, Setting{"device", "M9: fast"})
	m := measurement("scale/n=4/input=normal", suite.Cost{Bytes: 32, Operations: 8, Elements: 4},
		timing.Time{Samples: 7, Median: 2000, Low: 1000, High: 2010})
	m.Clock, m.Condition = metalrun.GPUClock, &metalrun.Condition{Thermal: metalrun.ThermalFair, LowPower: true}
	if err := file.Write(m); err != nil {
		t.Fatal(err)
	}
	reader := benchfmt.NewReader(strings.NewReader(b.String()), "bench.txt")
	rows := 0
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(r)
		case *benchfmt.Result:
			rows++
			if got, want := r.Name.String(), "Conform/scale/n=4/input=normal"; got != want {
				t.Errorf("name %q, want %q", got, want)
			}
			if got, want := strings.Join([]string{r.GetConfig("backend"), r.GetConfig("device"), r.GetConfig("thermal"),
				r.GetConfig("power")}, ", "), "metal (GPU time), M9: fast, fair, low"; got != want {
				t.Errorf("configuration %q, want %q", got, want)
			}
			got := map[string]float64{}
			for _, v := range r.Values {
				got[v.Unit] = v.Value
			}
			if diff := cmp.Diff(map[string]float64{"sec/op": 2e-6, "sec/elem": 5e-7, "B/s": 1.6e7, "op/s": 4e6}, got,
				cmpopts.EquateApprox(1e-12, 0)); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
		}
	}
	if err := reader.Err(); err != nil || rows != 1 {
		t.Errorf("%d rows, %v", rows, err)
	}
	for unit, want := range map[string]int{"sec/elem": -1, "op/s": 1, "B/s": 1} {
		if got := reader.Units().GetBetter(unit); got != want {
			t.Errorf("%s: better is %d, want %d", unit, got, want)
		}
	}
}

// Times by another clock, or in another condition, are of another configuration; rates of
// the device have names of their own.
func TestBenchConditions(t *testing.T) {
	var b strings.Builder
	file := NewBench(&b, "metal", 0)
	time := timing.Time{Samples: 7, Median: 2000, Close: true, Steady: true}
	m := measurement("k/n=4", suite.Cost{Bytes: 32, Elements: 4}, time)
	for _, step := range []func(){
		func() { m.Clock, m.Condition = metalrun.GPUClock, &metalrun.Condition{} },
		func() { m.Condition = &metalrun.Condition{Thermal: metalrun.ThermalSerious} },
		func() { m.Clock, m.Condition = metalrun.HostClock, nil },
	} {
		step()
		if err := file.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.WriteRate(timing.Rate{Name: "copy", Unit: "B", Amount: 4000, Clock: metalrun.GPUClock,
		Times: []timing.Time{time}}); err != nil {
		t.Fatal(err)
	}
	want := `Unit ns/elem better=lower
Unit op/s better=higher
backend: metal (GPU time)
thermal: nominal
power: full

BenchmarkConform/k/n=4 7 2000 ns/op 500 ns/elem 1.6e+07 B/s

thermal: serious

BenchmarkConform/k/n=4 7 2000 ns/op 500 ns/elem 1.6e+07 B/s

backend: metal (wall time on CPU)
thermal:
power:

BenchmarkConform/k/n=4 7 2000 ns/op 500 ns/elem 1.6e+07 B/s

backend: metal (GPU time)

BenchmarkRoof/copy 7 2000 ns/op 2e+09 B/s
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}
