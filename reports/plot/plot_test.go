package plot

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/bench"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the figures to testdata")

// outputs are one with the metrics that figures show.
func outputs(ratio, ulp, cosine float64) []metrics.Output {
	return []metrics.Output{{Output: "out", Type: "f32", Metrics: metrics.Values{
		{Key: metrics.ErrorRatio, Value: ratio}, {Key: metrics.Ulp, Value: ulp}, {Key: metrics.Cosine, Value: cosine},
	}}}
}

// spelled are cases of a kernel along T.
func spelled(kernel string, tokens ...int) (names []string) {
	for _, n := range tokens {
		names = append(names, fmt.Sprintf("%s/T=%d/input=normal", kernel, n))
	}
	return names
}

// data are a small run with everything that figures show: two kernels with the
// same arguments of which one overtakes the other, errors of every verdict, an
// exact case, an infinite error, costs, and a baseline.
func data() Data {
	var results, before []suite.Result
	file := NewBench()
	file.Backend, file.Roof = "simulator (wall time on CPU)", Roof{Bandwidth: 1e9, Arithmetic: 2e9, Measured: true}
	samples := file.Times
	for k, name := range []string{"steps", "chunks"} {
		for _, n := range []int{1, 4, 16, 64} {
			r := suite.Result{
				Case: fmt.Sprintf("%s/T=%d/input=normal", name, n), Kernel: name, Family: "recurrence",
				Status: suite.Pass,
				NS:     int64(1000 * n), Elements: 8 * n,
				Outputs: outputs(0.01*float64(n), float64(n), 1-1e-9*float64(n)),
			}
			for i := range 8 { // steps take as long as there are tokens, chunks begin late
				samples[r.Case] = append(samples[r.Case], 1e-9*float64(1000*n*(1-k)+k*(9000+100*n)+10*i))
			}
			was := r
			was.Outputs, was.NS = outputs(0.005*float64(n), float64(n), 1-1e-9*float64(n)), 2*r.NS
			r.Outputs[0].Histogram = metrics.Histogram{0: 6 * n, 3: n, -4: n}
			r.Outputs[0].Metrics = append(r.Outputs[0].Metrics,
				metrics.Value{Key: anyDevice, Value: math.Pow(float64(n), float64(1+4*k)) / 2})
			results, before = append(results, r), append(before, was)
		}
	}
	for i, c := range spelled("slow", 1, 4, 16) { // medians of one row each, with their intervals
		file.Times[c] = []float64{float64(int(1)<<(2*i)) * 1e-4}
		file.Known[c] = [2]float64{file.Times[c][0] * 0.9, file.Times[c][0] * 1.1}
	}
	add := func(c string, status suite.Status, ratio float64) {
		r := suite.Result{Case: c, Kernel: "copy", Family: "moves", Status: status, Outputs: outputs(ratio, ratio, 1),
			Elements: 4, NS: 500}
		results, before = append(results, r), append(before, r)
	}
	add("copy/n=4/input=normal", suite.Pass, 0)
	add("copy/n=8/input=normal", suite.Fail, math.Inf(1))
	add("copy/n=16/input=normal", suite.Waived, 1.5)
	arguments := []reports.Binding{{Name: "out", Role: "out", Type: "f32", Extents: []string{"T"}}}
	h := reports.Header{
		Device: reports.Device{Backend: "simulator", Clock: metalrun.HostClock},
		Kernels: []reports.Kernel{
			{Name: "steps", Family: "recurrence", Axes: []string{"T"}, Bindings: arguments},
			{Name: "chunks", Family: "recurrence", Axes: []string{"T"}, Bindings: arguments},
			{Name: "copy", Family: "moves", Axes: []string{"n"},
				Bindings: []reports.Binding{{Name: "to", Role: "out", Type: "f32", Extents: []string{"n"}}}},
		},
	}
	baseline := reports.NewRun(h, before, nil, nil)
	return Data{
		Run: reports.NewRun(h, results, nil, nil), Baseline: &baseline, Bench: file,
		Scalings: []Scaling{{Name: "steps-chunks", Doc: "Steps and chunks.", Axis: "T", Others: "n=8",
			Lines: []ScalingLine{
				{"steps", []int{1, 4, 16, 64}, each(spelled("steps", 1, 4, 16, 64))},
				{"chunks", []int{1, 4, 16, 64}, each(spelled("chunks", 1, 4, 16, 64))},
				{"slow", []int{1, 4, 16, 64}, each(spelled("slow", 1, 4, 16, 64))},
			}}},
		Cost: func(name string) (suite.Cost, bool) {
			values, _ := shape(name)
			n := values[0].n
			return suite.Cost{Bytes: 64 * n, Operations: 256 * n, Elements: 8 * n}, !strings.HasPrefix(name, "copy/")
		},
	}
}

// each is a line of single cases.
func each(cases []string) (list [][]string) {
	for _, c := range cases {
		list = append(list, []string{c})
	}
	return list
}

// Speed by threads is of the cases that have a time with every number of them.
func TestProcessors(t *testing.T) {
	with := func(threads int, times map[string][]float64) Processors {
		return Processors{Threads: threads, Bench: Bench{Backend: "simulator (wall time on CPU)", Times: times}}
	}
	d := Data{Processors: []Processors{
		with(1, map[string][]float64{"a": {8, 8, 8}, "b": {2}, "alone": {1}}),
		with(4, map[string][]float64{"a": {2, 2, 9}, "b": {2}}),
	}}
	list := d.processors()
	if len(list) != 1 {
		t.Fatalf("%d figures", len(list))
	}
	var got [][]float64
	for _, s := range list[0].chart.series {
		var ys []float64
		for _, p := range s.points {
			ys = append(ys, p.y)
		}
		got = append(got, ys)
	}
	if diff := cmp.Diff([][]float64{{1, 2.5}, {1, 4}, {1, 1}}, got); diff != "" {
		t.Errorf("all, a, b (-want +got):\n%s", diff)
	}
	d.Processors = d.Processors[:1]
	if list := d.processors(); list != nil {
		t.Errorf("%d figures of one number", len(list))
	}
}

// Growth is that of the larger sizes, where what a launch costs by itself weighs less.
func TestGrowth(t *testing.T) {
	line := series{name: "steps",
		points: []point{{x: 1, y: 5}, {x: 2, y: 6}, {x: 4, y: 8}, {x: 8, y: 16}, {x: 16, y: 32}}}
	if got, want := growth("T", []series{line}),
		" From T=4 on, steps takes 2.00 times as long with twice the T."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The times of cases one after the other add up turn by turn, and without one of them there
// is no time.
func TestTogether(t *testing.T) {
	b := NewBench()
	b.Times = map[string][]float64{"a": {1, 2, 3}, "b": {10, 20}, "c": {5}}
	b.Known = map[string][2]float64{"a": {1, 2}, "c": {4, 6}}
	for _, test := range []struct {
		cases []string
		want  []float64
		known [2]float64
		ok    bool
	}{
		{[]string{"a", "b"}, []float64{11, 22}, [2]float64{}, true},
		{[]string{"c"}, []float64{5}, [2]float64{4, 6}, true},
		{[]string{"c", "a"}, []float64{6}, [2]float64{}, true},
		{[]string{"a", "none"}, nil, [2]float64{}, false},
		{nil, nil, [2]float64{}, false},
	} {
		got, ok := b.together(test.cases)
		if ok != test.ok || ok && (!slices.Equal(got.samples, test.want) || got.known != test.known) {
			t.Errorf("%v: %+v, %v", test.cases, got, ok)
		}
	}
	if !slices.Equal(b.Times["a"], []float64{1, 2, 3}) {
		t.Error("adding up has changed the samples")
	}
}

// Figures of the small run are those in testdata: look at them before they are
// written anew.
func TestFigures(t *testing.T) {
	var names []string
	for _, f := range data().Figures() {
		names = append(names, f.Name)
		file := filepath.Join("testdata", f.Name+".svg")
		if *update {
			if err := os.WriteFile(file, f.SVG, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(f.SVG)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	want := []string{
		"error_ratio", "cosine", "ulp", "any_device", "bandwidth", "roofline", "scaling-steps-chunks",
		"alternatives-steps", "comparison-error_ratio", "comparison-ulp", "comparison-time",
		"steps-error_ratio", "steps-cosine", "steps-ulp", "steps-latency",
		"chunks-error_ratio", "chunks-cosine", "chunks-ulp", "chunks-latency",
		"copy-error_ratio",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

// What has no data has no figure.
func TestLeftOut(t *testing.T) {
	pass := func(ratio float64) suite.Result {
		return suite.Result{Case: "copy/n=4/input=normal", Kernel: "copy", Family: "moves", Status: suite.Pass,
			Outputs: outputs(ratio, 0, 1), Elements: 4, NS: 9}
	}
	run := func(results ...suite.Result) reports.Run { return reports.Run{Results: results} }
	nothing := run()
	tests := []struct {
		name string
		data Data
		want []string
	}{
		{"no results", Data{}, nil},
		{"no results in either run", Data{Baseline: &nothing}, nil},
		{"skipped", Data{Run: run(suite.Result{Case: "copy/n=4/input=normal", Kernel: "copy", Status: suite.Skip})},
			nil},
		{"exact", Data{Run: run(pass(0))}, nil},
		{"one point", Data{Run: run(pass(0.5))}, []string{"error_ratio", "copy-error_ratio"}},
		{"not numbers", Data{Run: run(pass(math.NaN()))}, nil},
		{"no case in both runs", Data{Run: run(pass(0.5)), Baseline: &nothing},
			[]string{"error_ratio", "copy-error_ratio"}},
		{"no cost known", Data{Run: run(pass(0.5)), Cost: func(string) (suite.Cost, bool) {
			return suite.Cost{}, false
		}}, []string{"error_ratio", "copy-error_ratio"}},
	}
	for _, test := range tests {
		var names []string
		for _, f := range test.data.Figures() {
			names = append(names, f.Name)
		}
		if diff := cmp.Diff(test.want, names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Whatever results say, figures have coordinates.
func TestAnyResults(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	draws := rand.New(rand.NewPCG(3, 4))
	special := []float64{0, -1, 1, 1e-320, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e300}
	draw := func() float64 { return special[draws.IntN(len(special))] }
	for range 200 {
		d := Data{Roof: Roof{Bandwidth: math.Abs(float64(draws.IntN(3))), Arithmetic: 1e300}}
		d.Cost = func(string) (suite.Cost, bool) {
			return suite.Cost{Bytes: draws.IntN(3), Operations: draws.IntN(3)}, true
		}
		for i := range draws.IntN(6) {
			c := fmt.Sprintf("k/n=%d/input=x", draws.IntN(5)-2)
			d.Run.Results = append(d.Run.Results, suite.Result{
				Case: c, Kernel: "k", Family: "f", Status: suite.Statuses()[i%2],
				Outputs: outputs(draw(), draw(), draw()),
				NS:      draws.Int64N(3), Elements: draws.IntN(4),
			})
			d.Run.Results[i].Outputs[0].Histogram = metrics.Histogram{draws.IntN(49) - 24: draws.IntN(3)}
		}
		d.Run.Kernels = []reports.Kernel{{Name: "k", Axes: []string{"n"}}}
		baseline := d.Run
		d.Baseline = &baseline
		for _, f := range d.Figures() {
			for _, refused := range []string{"NaN", "Inf"} {
				if bytes.Contains(f.SVG, []byte(refused)) {
					t.Fatalf("%s has %s for %+v", f.Name, refused, d.Run.Results)
				}
			}
		}
	}
}

// Crossings are told where both times are known well enough.
func TestCrossings(t *testing.T) {
	at := func(x, y, spread float64) point {
		return point{x: x, y: y, low: y - spread, high: y + spread, interval: spread > 0}
	}
	line := func(name string, points ...point) series { return distinct(name, 0).joinedBy(points) }
	one := line("one", at(1, 1, 0.1), at(2, 2, 0.1), at(4, 4, 0.1), at(8, 8, 0.1))
	tests := []struct {
		other series
		want  string
	}{
		{line("two", at(1, 3, 0.1), at(2, 3, 0.1), at(4, 3, 0.1), at(8, 3, 0.1)),
			" From n=4 on two is faster than one."},
		{line("two", at(1, 3, 0.1), at(2, 3, 0.1), at(4, 3, 2), at(8, 3, 0.1)), " From n=8 on two is faster than one."},
		{line("two", at(1, 0.5, 0.1), at(2, 3, 0.1)), " From n=2 on one is faster than two."},
		{line("two", at(1, 3, 0), at(2, 3, 0), at(4, 3, 0)), ""},
		{line("two", at(3, 9, 0.1), at(5, 1, 0.1)), ""},
	}
	for _, test := range tests {
		if got := crossings("n", []series{one, test.other}); got != test.want {
			t.Errorf("%v: %q, want %q", test.other.points, got, test.want)
		}
	}
}

// Times of another backend are refused, and so are rates.
func TestAppend(t *testing.T) {
	of := func(backend string, rates map[string]float64) reports.Times {
		return reports.Times{Seconds: map[string][]float64{"a": {1}}, Settings: map[string]string{"backend": backend},
			Rates: rates}
	}
	got := NewBench()
	for _, times := range []reports.Times{of("metal (GPU time)", nil),
		of("metal (GPU time)", map[string]float64{"copy": 4e11, "fma": 1e13})} {
		if err := got.Append(times); err != nil {
			t.Fatal(err)
		}
	}
	want := NewBench()
	want.Backend, want.Times["a"], want.Roof = "metal (GPU time)", []float64{1, 1},
		Roof{Bandwidth: 4e11, Arithmetic: 1e13, Measured: true}
	for _, other := range []string{"simulator (wall time on CPU)", "metal (wall time on CPU)", ""} {
		if err := got.Append(of(other, map[string]float64{"copy": 9e11})); err == nil ||
			!strings.HasSuffix(err.Error(), "plot them apart") {
			t.Errorf("%s: %v", other, err)
		}
		device, clock, _ := strings.Cut(other, " ")
		m := bench.Measurement{Result: suite.Result{Case: "b"}, Clock: metalrun.HostClock,
			Times: []timing.Time{{Median: 5}}}
		if clock != "" {
			got.Add(device, m) // by another clock
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
}

// Labels say whose times they are, whatever the run is of that is plotted beside.
func TestWhoseTimes(t *testing.T) {
	d := Data{
		Run: reports.Run{Header: reports.Header{Device: reports.Device{Backend: "simulator", Clock: metalrun.HostClock,
			Observes: true}}},
	}
	r := suite.Result{Case: "k/n=1", NS: 5000}
	for _, test := range []struct {
		bench string
		clock metalrun.Clock
		want  string
		times int
	}{
		{"", "", "Times are those of the simulator on the wall, watching for races and the like: they say nothing " +
			"of a GPU.", 1},
		{"", metalrun.HostClock, "", 0},
		{"simulator (wall time on CPU)", "", "Times are those of the simulator on the wall: they say nothing of a GPU.",
			0},
		{"metal (GPU time)", "", "Times are those of the GPU's clock.", 0},
		{"metal (wall time on CPU)", "", "Times are those that the host waited for Metal, whose clock said nothing.",
			0},
	} {
		d.Bench, r.Clock = NewBench(), test.clock
		if d.Bench.Backend = test.bench; test.bench != "" {
			d.Bench.Times["other"] = []float64{1}
		}
		if got := d.times(&r); len(got) != test.times {
			t.Errorf("%q: times %v, want %d of the run's own", test.bench, got, test.times)
		}
		if got := d.whatTimes(); test.want != "" && got != test.want {
			t.Errorf("%q: %q, want %q", test.bench, got, test.want)
		}
	}
}
