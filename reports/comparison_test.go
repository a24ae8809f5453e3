package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/reports/statistics"
	"metalconform/suite"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
)

// night is a run with kernels of so many cases, whose errors are drawn.
type night struct {
	seed    uint64 // of the noise
	kernels map[string]spread
	clock   metalrun.Clock
}

// spread is what the errors of a kernel are drawn from.
type spread struct {
	cases  int
	level  float64 // root mean square, as a fraction of the bound
	inward float64 // the part of it that is toward zero
	bias   float64 // the part of it that is systematic
	worst  float64 // 0 for three times the level
	lacks  bool    // the distribution, as in results of an earlier version
	same   bool    // bits as in every other night
}

func (n night) set() Set {
	draw := rand.New(rand.NewPCG(n.seed, 7))
	h := Header{Options: Options{Sweep: "quick", Seed: 1},
		Device: Device{Backend: "metal", Name: "M9", Clock: metalrun.GPUClock}}
	if n.clock != "" {
		h.Device.Clock = n.clock
	}
	run := Run{Header: h, Ending: &Ending{}}
	for _, name := range []string{"few", "norm", "other"} {
		e, ok := n.kernels[name]
		if !ok {
			continue
		}
		for i := range e.cases {
			const elements = 500
			rms := e.level * math.Exp(float64(i%5)-2) * (1 + 0.03*draw.NormFloat64())
			worst := e.worst
			if worst == 0 {
				worst = 3 * rms
			}
			o := metrics.Output{Elements: elements, Metrics: metrics.Values{{Key: metrics.ErrorRatio, Value: worst}}}
			if !e.lacks {
				o.Errors = &metrics.Errors{
					Elements: elements, Squares: elements * rms * rms,
					Sum:     elements * rms * (e.bias + 0.04*draw.NormFloat64()),
					Outward: -elements * rms * (e.inward + 0.04*draw.NormFloat64()),
				}
			}
			r := suite.Result{Case: fmt.Sprintf("%s/n=%d", name, i), Kernel: name, Family: "f", Status: suite.Pass,
				Elements: elements, ErrorRatio: worst, Digest: fmt.Sprint(n.seed), Outputs: []metrics.Output{o}}
			if e.same {
				r.Digest = "same"
			}
			run.Results = append(run.Results, r)
		}
	}
	run.Planned = len(run.Results)
	return Set{Run: run}
}

// Each change of the errors has the verdict that it deserves, whatever the noise.
func TestAccuracy(t *testing.T) {
	usual := spread{cases: 40, level: 0.02}
	for _, test := range []struct {
		name       string
		base, head spread
		want       statistics.Verdict
		by         string // measures other than unchanged ones
	}{
		{"another order of sums", usual, usual, statistics.Unchanged, ""},
		{"the same bits", spread{cases: 40, level: 0.02, same: true}, spread{cases: 40, level: 0.9, same: true},
			statistics.Unchanged, ""},
		{"larger errors", usual, spread{cases: 40, level: 0.028}, statistics.Regressed, "error"},
		{"smaller errors", usual, spread{cases: 40, level: 0.014}, statistics.Improved, "error"},
		{"larger by less than counts", usual, spread{cases: 40, level: 0.0209}, statistics.Unchanged, ""},
		{"truncation at the same level", usual, spread{cases: 40, level: 0.02, inward: 0.8}, statistics.Regressed,
			"inward"},
		{"truncation mended", spread{cases: 40, level: 0.02, inward: 0.8}, usual, statistics.Improved, "inward"},
		{"results that are too large", usual, spread{cases: 40, level: 0.02, bias: 0.8}, statistics.Regressed, "bias"},
		{"one element near its bound", spread{cases: 40, level: 0.02, worst: 0.3},
			spread{cases: 40, level: 0.02, worst: 0.9}, statistics.Regressed, "headroom"},
		{"too few cases to tell", spread{cases: 5, level: 0.02}, spread{cases: 5, level: 0.03}, statistics.Inconclusive,
			"error bias inward"},
		{"written by an earlier version", spread{cases: 40, level: 0.02, lacks: true}, usual,
			statistics.Inconclusive, ""},
	} {
		for seed := range uint64(5) {
			base := night{seed: 2 * seed, kernels: map[string]spread{"norm": test.base, "other": usual}}.set()
			head := night{seed: 2*seed + 1, kernels: map[string]spread{"norm": test.head, "other": usual}}.set()
			c := Compare(base, head, DefaultPolicy())
			for _, r := range c.Rows {
				want, by := statistics.Unchanged, ""
				if r.Name == "norm" && r.Aspect == Accuracy {
					want, by = test.want, test.by
				}
				var others []string
				for _, m := range r.Measures {
					if m.Verdict != statistics.Unchanged {
						others = append(others, m.Of)
					}
				}
				if r.Verdict != want || strings.Join(others, " ") != by {
					t.Errorf("%s, seed %d: %s of %s is %s by %q, want %s by %q (%s)", test.name, seed, r.Aspect, r.Name,
						r.Verdict, others, want, by, r)
				}
			}
			if got := len(c.Regressions()) > 0; got != (test.want == statistics.Regressed) {
				t.Errorf("%s, seed %d: regressions: %t", test.name, seed, got)
			}
		}
	}
}

// Of other inputs the largest error is no evidence.
func TestHeadroom(t *testing.T) {
	base := night{seed: 1, kernels: map[string]spread{"norm": {cases: 40, level: 0.02, worst: 0.3}}}.set()
	head := night{seed: 2, kernels: map[string]spread{"norm": {cases: 40, level: 0.02, worst: 0.9}}}.set()
	head.Options.Seed = 2
	if list := Compare(base, head, DefaultPolicy()).Regressions(); len(list) > 0 {
		t.Errorf("regressions: %v", list)
	}
}

// What is inconclusive says what is missing: samples, or results of this version.
func TestInconclusive(t *testing.T) {
	row := func(base, head spread) ComparedRow {
		c := Compare(night{seed: 1, kernels: map[string]spread{"norm": base}}.set(),
			night{seed: 2, kernels: map[string]spread{"norm": head}}.set(), DefaultPolicy())
		return c.Rows[rowOf(c.Rows, Accuracy)]
	}
	if r := row(spread{cases: 5, level: 0.02}, spread{cases: 5, level: 0.03}); r.More != 1 ||
		!strings.HasSuffix(r.String(), "1 case more would decide") {
		t.Errorf("of five cases: %d more: %s", r.More, r)
	}
	if r := row(spread{cases: 40, level: 0.02, lacks: true}, spread{cases: 40, level: 0.03}); r.More != 0 ||
		!strings.Contains(r.Why, "base does not record") {
		t.Errorf("of an earlier version: %q, %d more", r.Why, r.More)
	}
}

func rowOf(rows []ComparedRow, a Aspect) int {
	for i, r := range rows {
		if r.Aspect == a {
			return i
		}
	}
	return -1
}

// Times are told apart by their samples, adjusted for how many there are, and fail only
// on a GPU.
func TestSpeed(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	sample := func(n int, level float64) (list []float64) {
		for range n {
			list = append(list, level*math.Exp(0.01*draw.NormFloat64()))
		}
		return list
	}
	times := func(a, b, c, d []float64) Times {
		return Times{Seconds: map[string][]float64{"norm/n=0": a, "norm/n=1": b, "norm/n=2": c, "norm/n=3": d},
			Settings: map[string]string{"device": "M9"}}
	}
	base, head := night{seed: 1, kernels: map[string]spread{"norm": {cases: 9, level: 0.1, same: true}}}.set(),
		night{seed: 2, kernels: map[string]spread{"norm": {cases: 9, level: 0.1, same: true}}}.set()
	base.Times = times(sample(10, 1e-3), sample(10, 1e-3), sample(10, 1e-3), sample(2, 1e-3))
	head.Times = times(sample(10, 1.1e-3), sample(10, 0.9e-3), sample(10, 1.02e-3), sample(2, 1.1e-3))
	want := map[string]statistics.Verdict{"norm/n=0": statistics.Regressed, "norm/n=1": statistics.Improved,
		"norm/n=2": statistics.Unchanged, "norm/n=3": statistics.Inconclusive}
	verdicts := func(c *Comparison) map[string]statistics.Verdict {
		got := map[string]statistics.Verdict{}
		for _, r := range c.Rows {
			if r.Aspect == Speed {
				got[r.Name] = r.Verdict
			}
		}
		return got
	}
	c := Compare(base, head, DefaultPolicy())
	if diff := cmp.Diff(want, verdicts(c)); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if r := c.Regressions(); len(r) != 1 || r[0].Name != "norm/n=0" {
		t.Errorf("regressions: %v", r)
	}
	lenient := DefaultPolicy()
	lenient.Families = map[string]float64{"f": 0.2}
	if r := Compare(base, head, lenient).Regressions(); len(r) != 0 {
		t.Errorf("20 %% are allowed, and regressions are %v", r)
	}
	for name, device := range map[string]Device{"a simulator": {Clock: metalrun.HostClock},
		"a virtual GPU": {Clock: metalrun.GPUClock, Name: "Apple Paravirtual device"}} {
		is := head
		is.Header.Device = device
		if r := Compare(base, is, DefaultPolicy()).Regressions(); len(r) != 0 {
			t.Errorf("%s: regressions are %v", name, r)
		}
	}
	head.Times.Settings = map[string]string{"device": "M8"}
	if c := Compare(base, head, DefaultPolicy()); len(verdicts(c)) > 0 || len(c.Apart) != 1 {
		t.Errorf("times of two devices are compared: %v, %q", verdicts(c), c.Apart)
	}
}

// Counted work is exact, and a gross growth of any quantity counts.
func TestCountedWork(t *testing.T) {
	usual := metalrun.Work{Launches: 1, Instructions: 1000, Floating: 20000, Device: 4000}
	with := func(change func(*metalrun.Work)) metalrun.Work {
		w := usual
		change(&w)
		return w
	}
	for _, test := range []struct {
		name string
		head metalrun.Work
		want statistics.Verdict
		says string
	}{
		{"the same", usual, statistics.Unchanged, "norm: the same work"},
		{"a little more", with(func(w *metalrun.Work) { w.Floating += 9999 }), statistics.Unchanged, "norm: "},
		{"half as much more", with(func(w *metalrun.Work) { w.Floating += 10000 }), statistics.Regressed,
			"norm: operations × 1.50, from 40000 to 60000"},
		{"of another class", with(func(w *metalrun.Work) { w.Floating, w.Integer = 0, 20000 }), statistics.Unchanged,
			"norm: "},
		{"lanes that wait", with(func(w *metalrun.Work) { w.Instructions *= 32 }), statistics.Regressed,
			"norm: instructions × 32.0, from 2000 to 64000"},
		{"reads twice, computes half", with(func(w *metalrun.Work) { w.Floating, w.Device = 10000, 8000 }),
			statistics.Regressed,
			"norm: operations × 0.500, from 40000 to 20000; device bytes × 2.00, from 8000 to 16000"},
		{"half", with(func(w *metalrun.Work) { w.Device /= 2 }), statistics.Improved,
			"norm: device bytes × 0.500, from 8000 to 4000"},
		{"barriers where there were none", with(func(w *metalrun.Work) { w.Barriers = 7 }), statistics.Unchanged,
			"norm: "},
	} {
		set := func(w metalrun.Work) Set {
			s := night{seed: 1, kernels: map[string]spread{"norm": {cases: 2, level: 0.1, same: true}}}.set()
			for i := range s.Results {
				s.Results[i].Work = &w
			}
			return s
		}
		base, head := set(usual), set(test.head)
		c := Compare(base, head, DefaultPolicy())
		r := c.Rows[rowOf(c.Rows, Counted)]
		if r.Verdict != test.want || r.String() != test.says {
			t.Errorf("%s: %s %q, want %s %q", test.name, r.Verdict, r, test.want, test.says)
		}
		lenient := DefaultPolicy()
		lenient.WorkFamilies = map[string]float64{"f": 99}
		for policy, fails := range map[*Policy]bool{{Fail: Aspects(), Work: 0.5}: test.want == statistics.Regressed,
			&lenient: false} {
			against := Compare(base, head, *policy)
			v := View{Run: head.Run, Against: against, Change: true,
				Blame: map[string]metalrun.Position{"norm": {File: "n.metal", Line: 7}}}
			problems := v.regressed(nil)
			if len(against.Regressions()) > 0 != fails || len(problems) > 0 != fails {
				t.Errorf("%s: regressions %v and problems %v, want some: %t", test.name, against.Regressions(),
					problems, fails)
			}
			if fails && (problems[0].At.Line != 7 || !strings.HasSuffix(problems[0].Text, "changed at n.metal:7")) {
				t.Errorf("%s: problem %+v", test.name, problems[0])
			}
		}
		base.Results[1].Work = nil
		if c := Compare(base, head, DefaultPolicy()); c.Rows[rowOf(c.Rows, Counted)].Samples != [2]int{1, 1} {
			t.Errorf("%s: a case that was not counted is compared", test.name)
		}
	}
}

// Each format says whether anything regressed, and JSON reads back.
func TestComparisonFormats(t *testing.T) {
	usual := spread{cases: 40, level: 0.02}
	base := night{seed: 1, kernels: map[string]spread{"norm": usual}}.set()
	for _, test := range []struct {
		name string
		head Set
		says map[string]string
	}{
		{"regressed", night{seed: 2, kernels: map[string]spread{"norm": {cases: 40, level: 0.05}}}.set(),
			map[string]string{
				"text":     "FAIL norm: less accurate\n",
				"markdown": "## Conform compare: FAIL norm: less accurate\n",
				"json": "\"verdict\": \"FAIL\",\n\t\"reason\": \"norm: less accurate\",\n" +
					"\t\"regressions\": [\n\t\t\"accuracy of norm\"",
			}},
		{"unchanged", night{seed: 2, kernels: map[string]spread{"norm": usual}}.set(), map[string]string{
			"text": "PASS nothing regressed\n", "markdown": "## Conform compare: PASS nothing regressed\n",
			"json": `"regressions": []`,
		}},
	} {
		for _, f := range ComparisonFormats() {
			var b bytes.Buffer
			if err := f.Write(&b, Compare(base, test.head, DefaultPolicy()), false); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), test.says[f.Name]) {
				t.Errorf("%s, %s: no %q in\n%s", test.name, f.Name, test.says[f.Name], b.String())
			}
			var rows struct{ Rows []ComparedRow }
			if f.Name == "json" && (json.Unmarshal(b.Bytes(), &rows) != nil || len(rows.Rows) != 2) {
				t.Errorf("%s: JSON has %d rows", test.name, len(rows.Rows))
			}
		}
	}
}

// What a kernel differs from itself by is no change of it, and what it differs by beyond
// that is one.
func TestSelf(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 8))
	sample := func(level, spread float64) (list []float64) {
		for range 20 {
			list = append(list, level*math.Exp(spread*draw.NormFloat64()))
		}
		return list
	}
	for _, test := range []struct {
		name       string
		self, head float64 // how much slower the base is than itself, and the head than the base
		spread     float64
		want       statistics.Verdict
		more       bool
	}{
		{"quiet, and no change", 1, 1, 0.01, statistics.Unchanged, false},
		{"quiet, and slower", 1, 1.2, 0.01, statistics.Regressed, false},
		{"quiet, and faster", 1, 0.8, 0.01, statistics.Improved, false},
		{"slower, but not by more than by itself", 1.3, 1.2, 0.01, statistics.Inconclusive, true},
		{"faster, but not by more than by itself", 1.3, 0.8, 0.01, statistics.Inconclusive, true},
		{"loud", 1, 1.1, 0.5, statistics.Inconclusive, true},
		{"loud, and much slower", 1, 9, 0.3, statistics.Regressed, false},
	} {
		same := map[string]spread{"norm": {cases: 1, level: 0.1, same: true}}
		base, head := night{seed: 1, kernels: same}.set(), night{seed: 2, kernels: same}.set()
		base.Times, head.Times = NewTimes(), NewTimes()
		base.Times.Take("norm/n=0", sample(1e6, test.spread),
			[2][]float64{sample(1e6, test.spread), sample(test.self*1e6, test.spread)})
		head.Times.Take("norm/n=0", sample(test.head*1e6, test.spread), [2][]float64{})
		c := Compare(base, head, DefaultPolicy())
		r := c.Rows[rowOf(c.Rows, Speed)]
		if r.Verdict != test.want || r.More > 0 != test.more || !(r.Noise > 0) {
			t.Errorf("%s: %s, %d more, noise %v, want %s: %s", test.name, r.Verdict, r.More, r.Noise, test.want, r)
		}
	}
	same := map[string]spread{"norm": {cases: 1, level: 0.1, same: true}}
	base, head := night{seed: 1, kernels: same}.set(), night{seed: 2, kernels: same}.set()
	base.Times, head.Times = NewTimes(), NewTimes()
	base.Times.Take("norm/n=0", []float64{-5, -3, -1, 0, 1, 2, 3}, [2][]float64{})
	head.Times.Take("norm/n=0", sample(1e6, 0.01), [2][]float64{})
	c := Compare(base, head, DefaultPolicy())
	if r := c.Rows[rowOf(c.Rows, Speed)]; r.Verdict != statistics.Inconclusive ||
		!strings.Contains(r.Why, "too short") {
		t.Errorf("times below 0: %s %s", r.Verdict, r)
	}
}

// A case that is not judged any more is one that regressed, unless the two runs were asked for different ones.
func TestVanishedCases(t *testing.T) {
	results := func(names ...string) (list []suite.Result) {
		for _, name := range names {
			list = append(list, suite.Result{Case: name, Kernel: name[:1], Status: suite.Pass, Elements: 1})
		}
		return list
	}
	skipped := results("a/1", "a/2", "a/3", "b/1")
	skipped[1].Status = suite.Skip
	waived := slices.Clone(skipped)
	waived[1].Waiver = &suite.Entry{}
	of := func(list []suite.Result, o Options) Set {
		return Set{Run: Run{Header: Header{Options: o}, Results: list, Ending: &Ending{}}}
	}
	shard := of(results("a/1"), Options{})
	shard.Shard = &Shard{Index: 1, Of: 2}
	stopped := of(results("a/1"), Options{})
	stopped.Ending = nil
	for _, test := range []struct {
		name string
		head Set
		want []string
	}{
		{"all there", of(results("a/3", "a/2", "a/1", "b/1"), Options{}), nil},
		{"gone", of(results("a/1", "b/1"), Options{}), []string{"2 cases of a, such as a/2"}},
		{"not judged", of(skipped, Options{}), []string{"1 case of a, such as a/2"}},
		{"waived", of(waived, Options{}), nil},
		{"gone with the kernel", of(results("a/1", "a/2", "a/3"), Options{}), nil},
		{"another selection", of(results("a/1", "b/1"), Options{Run: "x"}), nil},
		{"another sweep", of(results("a/1", "b/1"), Options{Sweep: "full"}), nil},
		{"a shard", shard, nil},
		{"on its way", stopped, nil},
	} {
		c := Compare(of(results("a/1", "a/2", "a/3", "b/1"), Options{}), test.head, DefaultPolicy())
		var got []string
		for _, v := range c.Vanished {
			got = append(got, v.String())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if got := c.Verdict().String(); strings.HasPrefix(got, "FAIL a: no longer judged: ") != (test.want != nil) {
			t.Errorf("%s: %s", test.name, got)
		}
		problems := View{Run: test.head.Run, Against: c}.Problems()
		if told := slices.ContainsFunc(problems, func(p Problem) bool {
			return strings.Contains(p.Text, "of a, such as a/2")
		}); told != (test.want != nil) {
			t.Errorf("%s: problems %v", test.name, problems)
		}
	}
}
