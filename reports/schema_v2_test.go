package reports

import (
	"os"
	"path/filepath"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// A file of version 2 says what it said to the program that wrote it, whatever has been renamed since.
func TestReadVersion2(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "version2.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	run := read(t, string(text))
	if !run.Complete() || run.Version != Version || run.Planned != 4 || run.Commit != "aaa" {
		t.Errorf("version %d, complete %v, flaws %v", run.Version, run.Complete(), run.Flaws)
	}
	h := run.Header
	if h.Device.Backend != "simulator" || h.Device.Clock != metalrun.HostClock || h.Host.CPUs[0] != "CPU A" ||
		!h.Options.Exact || !h.Options.Checks || h.Options.Adversaries != 2 || h.Options.Math != "safe" ||
		h.Options.Seed != 1 {
		t.Errorf("device %+v, host %+v, options %+v", h.Device, h.Host, h.Options)
	}
	if len(h.Shaders) != 2 || len(h.Shaders["k.metal"].Text) < 100 || len(h.Kernels) != 2 ||
		h.Kernels[0].Name != "sigmoid_gate" {
		t.Errorf("shaders %v, kernels %+v", h.Shaders, h.Kernels)
	}
	type failure struct {
		Check suite.Check
		Arg   string
		First []int
		Count int
		Line  int // of the access
		Other int // of the access that it races with
	}
	type result struct {
		Case                  string
		Status                suite.Status
		Ratio                 float64
		Formula, Sum, Squares float64
		NS                    int64
		Digest                string
		Failures              []failure
	}
	want := []result{
		{
			Case: "sigmoid_gate/dim=1/input=normal", Status: suite.Fail, Ratio: 252541.56796174694,
			Formula: 932064.5217694532,
			Sum:     252541.56796174694, Squares: 63777243548.57765, NS: 73768, Digest: "8f60f87bce6e7013",
			Failures: []failure{
				{Check: suite.CheckBound, Arg: "x_out", First: []int{0}, Count: 1},
				{Check: suite.CheckFormula, Arg: "x_out", First: []int{0}, Count: 1},
			},
		},
		{
			Case: "sigmoid_gate/dim=33/input=normal", Status: suite.Fail, Ratio: 37490614.530060574,
			Formula: 21203138.901400838,
			Sum:     -239268901.62834188, Squares: 4310910697919226, NS: 779200, Digest: "d7d929dec782ad82",
			Failures: []failure{
				{Check: suite.CheckRace, Line: 5, Other: 5},
				{Check: suite.CheckRace, Line: 5, Other: 5},
				{Check: suite.CheckBound, Arg: "x_out", First: []int{0}, Count: 33},
				{Check: suite.CheckFormula, Arg: "x_out", First: []int{0}, Count: 33},
			},
		},
		{Case: "residual_add/dim=1/input=normal", Status: suite.Pass, NS: 76597, Digest: "92843195f68eea36"},
		{Case: "residual_add/dim=257/input=normal", Status: suite.Pass, NS: 46046, Digest: "6fe5953d22b0a48d"},
	}
	var got []result
	for _, r := range run.Results {
		x := result{Case: r.Case, Status: r.Status, Ratio: r.ErrorRatio, NS: r.NS, Digest: r.Digest}
		if formula, ok := r.Outputs[0].Metrics.Find("formula"); ok {
			x.Formula = formula.Value
		}
		if e := r.Outputs[0].Errors; e != nil {
			x.Sum, x.Squares = e.Sum, e.Squares
		}
		for _, f := range r.Failures {
			y := failure{Check: f.Check, Arg: f.Arg, First: f.First, Count: f.Count}
			if f.At != nil {
				y.Line = f.At.Line
			}
			if f.Other != nil {
				y.Other = f.Other.Line
			}
			x.Failures = append(x.Failures, y)
		}
		got = append(got, x)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}
