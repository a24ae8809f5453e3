package reports

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
)

// measured is an output with the metrics that tables show.
func measured(ratio, scaled, cosine float64) []metrics.Output {
	if ratio == math.MaxFloat64 {
		ratio = math.Inf(1)
	}
	return []metrics.Output{{Output: "out", Type: "f32", Metrics: metrics.Values{
		value(metrics.ErrorRatio, ratio), value(metrics.Scaled, scaled), value(metrics.Cosine, cosine),
	}}}
}

// few are the metrics of measured: what is kept in testdata is of no others.
func few() metrics.Table {
	return slices.DeleteFunc(metrics.All(), func(m metrics.Metric) bool {
		return m.Key != metrics.ErrorRatio && m.Key != metrics.Scaled && m.Key != metrics.Cosine
	})
}

// results are a run of four kernels: one conforms, one fails in three cases of
// which two say the same, one could not be judged, one is absent.
func results() []suite.Result {
	failure := func(name string, f suite.Failure) suite.Result {
		return suite.Result{
			Case: name, Kernel: "scale", Family: "b", Backend: "simulator", Status: suite.Fail,
			ErrorRatio: f.ErrorRatio, Outputs: measured(f.ErrorRatio, 9, 0.5), NS: 1000,
			Seed: 1, Elements: 10, Replay: "conform run -run '^" + name + "$' -seed 1", Failures: []suite.Failure{f},
		}
	}
	over := suite.Failure{
		Check: suite.CheckBound, Arg: "out", Type: "f32", Index: []int{3}, Got: new(suite.Value(1)),
		Want: new(suite.Value(2)), Error: 1, ErrorRatio: 2,
		Bound: &suite.Bound{Value: 0.5,
			Terms: []suite.Term{{Label: "sum", Value: 0.3}, {Label: "rounding to f32", Value: 0.2}}},
	}
	unwritten := suite.Failure{Check: suite.CheckUnwritten, Arg: "out", Index: []int{0}, ErrorRatio: math.MaxFloat64}
	return []suite.Result{
		{Case: "copy/n=1/input=normal", Kernel: "copy", Family: "a", Backend: "simulator", Status: suite.Pass,
			Outputs: measured(0, 0, 1), NS: 1500, Seed: 1, Elements: 1},
		{Case: "copy/n=2/input=normal", Kernel: "copy", Family: "a", Backend: "simulator", Status: suite.Pass,
			ErrorRatio: 0.25, Outputs: measured(0.25, 0.5, 0.9999999999), NS: 2e6, Seed: 1, Elements: 2, Open: 1},
		{Case: "copy/n=0/input=refused", Kernel: "copy", Family: "a", Backend: "simulator", Status: suite.Pass,
			Seed: 1},
		failure("scale/n=1/input=normal", over), failure("scale/n=2/input=normal", unwritten),
		failure("scale/n=3/input=normal", unwritten),
		{Case: "scale/n=4/input=normal", Kernel: "scale", Family: "b", Backend: "simulator", Status: suite.Pass,
			Outputs: measured(0, 0, 1), Seed: 1, Elements: 10},
		{
			Case: "sum/n=1/input=normal", Kernel: "sum", Family: "b", Backend: "simulator", Status: suite.Error,
			Seed:   1,
			Reason: "sum.metal:3:1: got x, want y", Replay: "conform run -run '^sum$' -seed 1",
		},
		{Case: "zip/n=1/input=normal", Kernel: "zip", Family: "c", Backend: "simulator", Status: suite.Skip, Seed: 1,
			Reason: "absent"},
		{Case: "zip/n=2/input=normal", Kernel: "zip", Family: "c", Backend: "simulator", Status: suite.Skip, Seed: 1,
			Reason: "absent"},
	}
}

// file is a run of the results as results.jsonl. A shard has every so manyth of
// them.
func file(t *testing.T, results []suite.Result, shard *Shard) string {
	t.Helper()
	var b bytes.Buffer
	h := header(len(results))
	ending := Ending{}
	h.Shard = shard
	log := NewLog(&b)
	if err := log.Begin(h); err != nil {
		t.Fatal(err)
	}
	for index, r := range results {
		if shard != nil && !shard.Has(index) {
			continue
		}
		ending.Ended++
		ending.ElapsedNS += 10
		if err := log.Write(index, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.End(ending); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// header is that of a run of so many cases of the results.
func header(planned int) Header {
	return Header{
		Schema: Schema, Version: Version, Conform: "v1.0.0", Started: time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC),
		Commit: "0123abc",
		Device: Device{Backend: "simulator", Name: "conform simulator", Detail: "reference", Clock: metalrun.HostClock,
			Observes: true},
		Host:    Host{OS: "linux", Arch: "amd64", CPUs: []string{"CPU A"}},
		Options: Options{Sweep: "quick", Seed: 1, Semantics: "reference", Math: "precise", Checks: true},
		Planned: planned, Root: "shaders",
		Shaders: map[string]Shader{"b.metal": {SHA256: "f00d", Text: "kernel void scale() {}\n"}},
		Kernels: []Kernel{
			{Name: "copy", Family: "a", Doc: "Copies.", Axes: []string{"n"},
				Bindings: []Binding{{Name: "out", Role: "out", Type: "f32", Extents: []string{"n"}}}, Contract: "f32"},
			{Name: "scale", Family: "b", Doc: "Scales.", File: "b.metal", Line: 1},
		},
	}
}

func read(t *testing.T, text string) Run {
	t.Helper()
	run, ok, err := Read(strings.NewReader(text), "results.jsonl")
	if err != nil || !ok {
		t.Fatalf("%v, %v", run.Flaws, err)
	}
	return run
}

func TestLogRoundTrip(t *testing.T) {
	want := results()
	text := file(t, want, nil)
	if n := strings.Count(text, "\n"); n != len(want)+2 {
		t.Errorf("%d lines for %d results", n, len(want))
	}
	run := read(t, text)
	if diff := cmp.Diff(want, run.Results); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(header(len(want)), run.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if len(run.Flaws) > 0 || run.Ending == nil || !run.Complete() {
		t.Errorf("complete %v, flaws %v", run.Complete(), run.Flaws)
	}
	_, text, _ = strings.Cut(text, "\n")
	for _, field := range []string{"case", "kernel", "family", "backend", "status", "error_ratio", "ns", "index"} {
		first, _, _ := strings.Cut(text, "\n")
		if !strings.Contains(first, `"`+field+`":`) {
			t.Errorf("a line lacks %q: %s", field, first)
		}
	}
}

// Wherever a run is killed behind its header, every line that was finished is read
// back, nothing is unsound, and the run has no ending.
func TestLogOfKilledRun(t *testing.T) {
	want := results()[:2]
	text := file(t, want, nil)
	begin := strings.Index(text, "\n") + 1
	for cut := begin; cut < len(text)-1; cut++ {
		run := read(t, text[:cut])
		n := min(strings.Count(text[begin:cut+1], "\n"), len(want)) // the brace that closes a line is enough
		if diff := cmp.Diff(want[:n], run.Results); diff != "" || len(run.Flaws) > 0 || run.Ending != nil ||
			run.Complete() {
			t.Fatalf("cut at %d of %d: flaws %v, complete %v\n%s", cut, len(text), run.Flaws, run.Complete(), diff)
		}
	}
}

func TestLogFails(t *testing.T) {
	full := errors.New("disk full")
	if err := NewLog(failing{full}).Write(0, results()[0]); !errors.Is(err, full) {
		t.Errorf("Write: %v, want %v", err, full)
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
