package html_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
	"metalconform/reports"
	"metalconform/reports/html"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// A metric is its row in the table: the suite computes it, and every report shows
// it, because it is there.
func TestNewMetric(t *testing.T) {
	added := metrics.Metric{
		Key: "half_more", Name: "half as many again", Means: "three halves of the elements", Line: "tensor",
		Whole: func(m *metrics.Meter) float64 { return 1.5 * float64(m.Elements) },
	}
	const value = "1234" // of 823 elements, in three digits and more
	table := append(metrics.All(), added)
	run := tripled(t, 823, table)
	v := reports.View{Run: run, Metrics: table}

	texts := map[string]string{}
	var b strings.Builder
	if err := reports.DefaultStyle.Metrics(&b, run.Results[0], table); err != nil {
		t.Fatal(err)
	}
	texts["-v"] = b.String()
	for _, format := range reports.Formats() {
		var b strings.Builder
		if err := format.Write(&b, v); err != nil {
			t.Fatal(err)
		}
		texts[format.Name] = b.String()
	}
	dir := t.TempDir()
	if err := html.Write(dir, html.Site{View: v}); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"index.html", "cases.html", "kernels/triple.html",
		"cases/triple,n=823,input=normal.html"} {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil {
			t.Fatal(err)
		}
		texts[page] = string(text)
	}

	for _, test := range []struct{ report, name, value string }{
		{"-v", added.Name + " ", value},
		{"text", "  " + added.Name + "  ", value},
		{"markdown", " | " + added.Name + " | ", " | " + value + " | "},
		{"csv", "," + added.Key + ",", ",1234.5,"},
		{"json", `"` + added.Key + `":`, "1234.5"},
		{"bench", "Unit " + added.Key + " better=lower", " 1234.5 " + added.Key},
		{"index.html", `title="` + added.Means + `">` + added.Name, ">" + value + "</span></td>"},
		{"cases.html", `title="` + added.Means + `">` + added.Name, `{"key":"` + added.Key + `","v":[1234]}`},
		{"kernels/triple.html", `title="` + added.Means + `">` + added.Name, ">" + value + "</span></td>"},
		{"cases/triple,n=823,input=normal.html", `title="` + added.Means + `">` + added.Name, ">" + value + "</td>"},
	} {
		for _, want := range []string{test.name, test.value} {
			if !strings.Contains(texts[test.report], want) {
				t.Errorf("%s has no %q", test.report, want)
			}
		}
	}
	again, _, err := reports.Read(strings.NewReader(texts["json"]), "results.jsonl")
	if err != nil || len(again.Results) != 1 {
		t.Fatalf("%d results, %v, %v", len(again.Results), again.Flaws, err)
	}
	if x, _ := added.Of(again.Results[0].Outputs); x != 1234.5 {
		t.Errorf("read again it is %g", x)
	}
}

// tripled judges a kernel of so many elements by the metrics of a table.
func tripled(t *testing.T, elements int, table metrics.Table) reports.Run {
	t.Helper()
	const source = `#include <metal_stdlib>
kernel void triple(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    if (i < n) y[i] = 3.0f * x[i];
}
`
	shaders, err := suite.OpenShaders(fstest.MapFS{"k.metal": {Data: []byte(source)}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	n := suite.Axis("n")
	triple := suite.Kernel{
		Name: "triple", Doc: "Triples.", Axes: []suite.Axis{n}, Grid: suite.Flat(n, 256),
		Args:  suite.Args{suite.In("x", suite.F32, n), suite.Out("y", suite.F32, n), suite.Const("n", suite.U32, n)},
		Sweep: suite.Sweep{Shapes: []suite.Shape{{n: elements}}},
		Oracle: func(p *suite.Problem) suite.Answers {
			x := p.Values("x")
			y := oracles.Answer{Want: make([]float64, len(x)),
				Budget: []oracles.Term{{Label: "product", Error: make([]float64, len(x))}}}
			for i := range x {
				y.Want[i] = 3 * x[i]
				y.Budget[0].Error[i] = 0x1p-22 * max(x[i], -x[i])
			}
			return suite.Answers{"y": y}
		},
	}
	cases := suite.Cases([]suite.Family{{Name: "f", Kernels: []suite.Kernel{triple}}}, suite.Quick)
	runner := sim.New(sim.Semantics{})
	defer runner.Close()
	var results []suite.Result
	err = suite.Run(context.Background(), runner, suite.Options{Shaders: shaders, Seed: 1, Metrics: table}, cases,
		func(r suite.Result) {
			if r.Status != suite.Pass {
				t.Errorf("%s: %s", r.Status, r.Text())
			}
			results = append(results, r)
		})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	l := reports.NewLog(&log)
	h := reports.Header{Device: reports.Device{Backend: "simulator"}, Options: reports.Options{Sweep: "quick", Seed: 1}}
	h.Describe(cases, shaders, []string{"triple"})
	if err := l.Begin(h); err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if err := l.Write(i, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.End(reports.Ending{Ended: len(results), ElapsedNS: 1}); err != nil {
		t.Fatal(err)
	}
	run, _, err := reports.Read(&log, "results.jsonl")
	if err != nil || len(run.Flaws) > 0 {
		t.Fatal(run.Flaws, err)
	}
	return run
}
