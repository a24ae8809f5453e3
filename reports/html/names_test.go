package html

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"metalconform/reports"
	"metalconform/reports/plot"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Names of pages are safe on every file system, and no two are the same there.
func TestUnique(t *testing.T) {
	taken, files := map[string]bool{}, map[string]bool{}
	for _, about := range []string{"norm/n=1", "norm/N=1", "norm,n=1", "../../etc", "a b", "a:b", "", ".",
		strings.Repeat("x", 300), strings.Repeat("x", 300) + "y", "é/ü"} {
		name := unique(taken, "cases/", about)
		if file := strings.ToLower(name); files[file] || path.Clean(name) != name || path.Dir(name) != "cases" ||
			len(name) > 160 {
			t.Errorf("%q is on %q", about, name)
		} else {
			files[file] = true
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := reports.Grouped(n); got != want {
			t.Errorf("Grouped(%d) is %s, want %s", n, got, want)
		}
	}
}

// sweep is a run of so many cases of so many kernels, of which one in every fails.
func sweep(kernels, cases, every int) Site {
	h := reports.Header{Schema: reports.Schema, Version: reports.Version, Planned: cases}
	for k := range kernels {
		h.Kernels = append(h.Kernels,
			reports.Kernel{Name: fmt.Sprintf("kernel_%d", k), Family: fmt.Sprintf("family_%d", k%9)})
	}
	results, indices := make([]suite.Result, cases), make([]int, cases)
	for i := range results {
		k := h.Kernels[i*kernels/cases]
		r := suite.Result{
			Case:   fmt.Sprintf("%s/n_tokens=%d/num_k_heads=3/key_dim=128/value_total=50/input=cancelling", k.Name, i),
			Kernel: k.Name, Family: k.Family, Status: suite.Pass,
			ErrorRatio: 0.3, NS: int64(1000 + i), Seed: 1, Elements: 4096,
			Outputs: []metrics.Output{{
				Output: "out", Type: "bf16", Extents: []int{64, 64}, Elements: 4096,
				Histogram: metrics.Histogram{-3: 40, 0: 4000, 3: 56},
				Metrics: metrics.Values{{Key: metrics.ErrorRatio, Value: 0.3}, {Key: metrics.Ulp, Value: 1.5},
					{Key: metrics.Cosine, Value: 1}},
			}},
		}
		r.Replay = "conform run -run '^" + r.Case + "$' -seed 1"
		if i%every == every-1 {
			r.Status, r.ErrorRatio = suite.Fail, float64(2+i)
			r.Outputs[0].Map = &metrics.Map{Rows: 64, Columns: 64, Groups: 1, Block: [2]int{1, 1},
				Cells: strings.Repeat("BqBu", 1024)}
			r.Failures = []suite.Failure{{Check: suite.CheckBound, Arg: "out", Index: []int{1, 2},
				Got: new(suite.Value(1)), Want: new(suite.Value(2)), ErrorRatio: r.ErrorRatio}}
		}
		results[i], indices[i] = r, i
	}
	run := reports.NewRun(h, results, indices, &reports.Ending{Ended: cases, ElapsedNS: 1})
	return Site{View: reports.View{Run: run}}
}

// A kernel with more cases than its page lists has the worst of them there, and
// says where the others are.
func TestManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes thousands of cases")
	}
	const every = 100 // one fails
	s := sweep(1, mostRows+40, every)
	all := pages(t, s)
	checkLinks(t, all)
	page := all["kernels/kernel_0.html"]
	if n := strings.Count(page, `<tr id="c`); n != mostRows {
		t.Errorf("%d rows, want %d", n, mostRows)
	}
	if !strings.Contains(page, `The other 40 are in <a href="../cases.html#q=kernel_0">`) {
		t.Error("the page does not say where the others are")
	}
	failed := (mostRows + 40) / every
	if n := strings.Count(page, `data-status="fail"`); n != failed {
		t.Errorf("%d of %d failures are listed", n, failed)
	}
	files := 0
	for name := range all {
		if strings.HasPrefix(name, "cases/") {
			files++
		}
	}
	if want := min(failed, mostPages) + worstPages; files != want {
		t.Errorf("%d pages of cases, want %d", files, want)
	}
}

// Of a run in which everything fails, every kernel has pages, and rows say all of
// the cases that have none.
func TestAllFail(t *testing.T) {
	s := sweep(30, 30*400, 1)
	site := newSite(s)
	const most = pagesEach * plot.MostKernels
	if n := len(site.names.paged); n > most || n < most-30 {
		t.Errorf("%d pages of cases, want about %d", n, most)
	}
	for _, row := range site.table.Rows {
		body := site.kernelBody(row)
		if body.Paged != site.limit {
			t.Errorf("%d cases of %s have pages, want %d", body.Paged, row.Kernel, site.limit)
		}
		for _, c := range body.Cases {
			if c.Whole != (c.Page == "") || c.What == "" || c.Replay == "" {
				t.Errorf("%s: page %q, message %q, command %q", c.Name, c.Page, c.What, c.Replay)
			}
		}
	}
}

// Of more kernels than anybody looks at those that fail have pages, then others; the front says so, and all links lead
// somewhere.
func TestManyKernels(t *testing.T) {
	const kernels, failing = 90, 20
	s := sweep(kernels, kernels, kernels/failing)
	s.Most = 50
	s.Figures = plot.Data{Run: s.Run, Most: s.Most}.Figures()
	all := pages(t, s)
	checkLinks(t, all)
	paged := 0
	for name := range all {
		if strings.HasPrefix(name, "kernels/") {
			paged++
		}
	}
	if paged != s.Most {
		t.Errorf("%d kernels have pages, want %d", paged, s.Most)
	}
	for _, r := range s.Results {
		if name := "kernels/" + r.Kernel + ".html"; r.Status == suite.Fail && all[name] == "" {
			t.Errorf("%s fails and has no page", r.Kernel)
		}
	}
	if want := "50 of 90 kernels have pages"; !strings.Contains(all["index.html"], want) {
		t.Errorf("the front does not say that %s", want)
	}
	if !strings.Contains(all["cases.html"], s.Results[0].Kernel) ||
		!strings.Contains(all["cases.html"], s.Results[kernels-2].Kernel) {
		t.Error("the list lacks kernels")
	}
	drawn := map[string]bool{}
	for _, f := range s.Figures {
		drawn[f.Kernel] = true
	}
	if n := len(drawn) - 1; n != s.Most { // those of the whole run have no kernel
		t.Errorf("%d kernels have figures, want %d", n, s.Most)
	}
}

// The time that it takes to write 100,000 cases of 200 kernels, of which 1000 fail,
// into files.
func BenchmarkWrite(b *testing.B) {
	s := sweep(200, 100_000, 100)
	dir := b.TempDir()
	for b.Loop() {
		if err := Write(dir, s); err != nil {
			b.Fatal(err)
		}
	}
}
