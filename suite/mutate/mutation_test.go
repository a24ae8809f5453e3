package mutate

import (
	"context"
	"fmt"
	"maps"
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
)

// mutated is a program of two kernels that share a function: sums of rows in
// threadgroup memory, and twice the elements.
const mutated = `#include <metal_stdlib>
using namespace metal;

static inline float twice(float v) { return v * 2.0f; }

kernel void row_sums(
    device const float* x [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]],
    uint row [[threadgroup_position_in_grid]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup float partial[64];
    float sum = 0.0f;
    for (uint j = i; j < n; j += 64) {
        sum += x[row * n + j];
    }
    partial[i] = twice(sum) / 1.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == 0) {
        float total = 0.0f;
        for (uint t = 0; t < 64; t++) {
            total += partial[t];
        }
        out[row] = total;
    }
}

kernel void doubled(
    device const float* x [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < n) {
        out[i] = twice(x[i]);
    }
}
`

// mutatedKernels are the specifications of the program.
func mutatedKernels() []suite.Kernel {
	sums := suite.Kernel{
		Name: "row_sums", Doc: "Twice the sum of each row.", Axes: []suite.Axis{suitetest.Rows, suitetest.Wide},
		Args: suite.Args{suite.In("x", suite.F32, suitetest.Rows, suitetest.Wide),
			suite.Out("out", suite.F32, suitetest.Rows), suite.Const("n", suite.U32, suitetest.Wide)},
		Grid: suite.Grid{Threadgroups: []suite.Extent{suitetest.Rows}, Of: []suite.Extent{suite.Fixed(64)}},
		Sweep: suite.Sweep{Shapes: []suite.Shape{{suitetest.Rows: 3, suitetest.Wide: 100},
			{suitetest.Rows: 2, suitetest.Wide: 40}}},
		Oracle: func(p *suite.Problem) suite.Answers {
			x := p.Values("x")
			a := oracles.Answer{Want: make([]float64, p.Shape[suitetest.Rows]),
				Budget: []oracles.Term{{Label: "sum", Error: make([]float64, p.Shape[suitetest.Rows])}}}
			for i, v := range x {
				a.Want[i/p.Shape[suitetest.Wide]] += 2 * v
				a.Budget[0].Error[i/p.Shape[suitetest.Wide]] += 0x1p-17 * max(v, -v)
			}
			return suite.Answers{"out": a}
		},
	}
	doubled := suite.Kernel{
		Name: "doubled", Doc: "Twice each element.", Axes: []suite.Axis{suitetest.Wide},
		Args: suite.Args{suite.In("x", suite.F32, suitetest.Wide), suite.Out("out", suite.F32, suitetest.Wide),
			suite.Const("n", suite.U32, suitetest.Wide)},
		Grid:  suite.Grid{Threads: []suite.Extent{suitetest.Wide}, Of: []suite.Extent{suite.Fixed(32)}},
		Sweep: suite.Sweep{Shapes: []suite.Shape{{suitetest.Wide: 32}}},
		Oracle: func(p *suite.Problem) suite.Answers {
			a := oracles.Answer{Exact: true}
			for _, v := range p.Values("x") {
				a.Want = append(a.Want, 2*v)
			}
			return suite.Answers{"out": a}
		},
	}
	return []suite.Kernel{sums, doubled}
}

// mutationOf judges mutants of the program by its specifications.
func mutationOf(t testing.TB, kernels []suite.Kernel, text string) *Mutation {
	t.Helper()
	s, err := suite.OpenShaders(fstest.MapFS{"k.metal": {Data: []byte(text)}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	return &Mutation{
		Shaders: s, Cases: suite.Cases([]suite.Family{{Name: "test", Kernels: kernels}}, suite.Quick), Seed: 1,
		Rule: ByVerdict,
		Devices: []Device{
			{Name: "plain", Open: func(steps int64) metalrun.Runner { return sim.New(sim.Semantics{Steps: steps}) }},
			{Name: "checking", Shapes: true, Open: func(steps int64) metalrun.Runner {
				return sim.New(sim.Semantics{Steps: steps, Check: true})
			}},
		},
	}
}

// judgedMutants are the mutants with their fates.
func judgedMutants(t testing.TB, m *Mutation, known ...Mutant) []Mutant {
	t.Helper()
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	var list []Mutant
	if err := plan.Decide(context.Background(), known, func(m Mutant) { list = append(list, m) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list, plan.Mutants()); diff != "" {
		t.Fatalf("reported and kept mutants differ: %s", diff)
	}
	return list
}

// TestFates has for each fate, and for each way to be killed, a mutant that only
// it is right for.
func TestFates(t *testing.T) {
	got := map[string]string{}
	for _, m := range judgedMutants(t, mutationOf(t, mutatedKernels(), mutated)) {
		got[m.Function+": "+m.Change] = strings.TrimSpace(fmt.Sprint(m.Fate, " ", m.Check, m.Proof))
	}
	want := map[string]string{
		"twice: return v * «2.0f → 2.002f»;":                                      "killed bound",
		"row_sums: for (uint j = i; j < n; j += «64 → 63») {":                     "killed bound",
		"row_sums: sum += x[row * n + j«→ + 1»];":                                 "killed fault",
		"row_sums: «out[row] = total →»;":                                         "killed unwritten",
		"row_sums: for (uint t = 0; t < 64; t«++ → --») {":                        "killed bound",
		"row_sums: «threadgroup_barrier(mem_flags::mem_threadgroup) →»;":          "killed race",
		"row_sums: threadgroup_barrier(mem_flags::«mem_threadgroup → mem_none»);": "killed race",
		"row_sums: float sum «= 0.0f →»;":                                         "killed nonfinite",
		"row_sums: threadgroup float partial[«64 → 65»];":                         "equivalent roomier",
		"doubled: «if (i < n) { out[i] = twice(x[i]); } → ;»":                     "killed unwritten",
		"row_sums: for (uint j = i; j < n; j «+= → =» 64) {":                      "killed runaway",
		"row_sums: for (uint t = 0; t < «64 → 63»; t++) {":                        "duplicate",
		// no thread is beyond the last
		"doubled: if («i < n → true») {":                                              "survived",
		"doubled: if (i «< → <=» n) {":                                                "survived",
		"row_sums: partial[i] = twice(sum) «/ → %» 1.0f;":                             "invalid",
		"row_sums: «for (uint j = i; j < n; j += 64) { sum += x[row * n + j]; } → ;»": "killed bound",
		"row_sums: for (uint j = i; j < n«→ - 1»; j += 64) {":                         "killed bound",
		"row_sums: if («i == 0 → true») {":                                            "killed race",
		// another thread adds up the same
		"row_sums: if (i == «0 → 1») {": "survived",
	}
	for change, fate := range want {
		if got[change] != fate {
			t.Errorf("%s\n\tis %q, want %q", change, got[change], fate)
		}
	}
}

// TestDevices asks the next device of what the one before it lets live, and a
// device nothing that the original fails there.
func TestDevices(t *testing.T) {
	if testing.Short() {
		t.Skip("all mutants on two devices")
	}
	racy := strings.Replace(mutated, "threadgroup_barrier(mem_flags::mem_threadgroup)",
		"simdgroup_barrier(mem_flags::mem_threadgroup)", 1)
	for name, test := range map[string]struct {
		text   string
		checks []string // that the second device kills by
	}{
		"conforming":         {mutated, []string{"race"}},
		"racy to begin with": {racy, nil},
	} {
		checks := map[string]bool{}
		for _, m := range judgedMutants(t, mutationOf(t, mutatedKernels(), test.text)) {
			if m.Device == "checking" {
				checks[string(m.Check)] = true
			}
			if m.Device == "" && m.Fate == Killed {
				t.Errorf("%s: %s was killed on no device", name, m.ID)
			}
		}
		if got := slices.Sorted(maps.Keys(checks)); !slices.Equal(got, test.checks) {
			t.Errorf("%s: the checking device kills by %v, want %v", name, got, test.checks)
		}
	}
}

// TestAdverse judges on another device only what leaves choices to it, and asks the oracle of a case
// once, whatever the number of devices and of groups of mutants.
func TestAdverse(t *testing.T) {
	asked := map[string]int{}
	var mu sync.Mutex
	copied := mutatedKernels()[1]
	copied.Name, copied.Doc = "copied", "Each element."
	copied.Args = suite.Args{suite.In("x", suite.U32, suitetest.Wide), suite.Out("out", suite.U32, suitetest.Wide),
		suite.Const("n", suite.U32, suitetest.Wide)}
	copied.Oracle = func(p *suite.Problem) suite.Answers {
		a := oracles.Answer{Exact: true}
		for _, x := range p.Words("x") {
			a.Want = append(a.Want, float64(x))
		}
		return suite.Answers{"out": a}
	}
	list := append(mutatedKernels(), copied)
	for i := range list {
		oracle := list[i].Oracle
		list[i].Oracle = func(p *suite.Problem) suite.Answers {
			mu.Lock()
			defer mu.Unlock()
			asked[fmt.Sprint(list[i].Name, p.Shape, p.Input)]++
			return oracle(p)
		}
	}
	m := mutationOf(t, list, mutated+`
kernel void copied(
    device const uint* x [[buffer(0)]], device uint* out [[buffer(1)]], constant uint& n [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < n) {
        out[i] = x[i];
    }
}
`)
	m.Devices[1] = Device{Name: "adverse", Adverse: true, Open: func(steps int64) metalrun.Runner {
		return sim.New(sim.Semantics{Steps: steps, Adversary: &sim.Adversary{Seed: 1, Number: 1, Choices: -1}})
	}}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	if err := plan.Decide(context.Background(), nil, func(Mutant) {}); err != nil {
		t.Fatal(err)
	}
	for question, times := range asked {
		if times != 1 {
			t.Errorf("%s was asked %d times", question, times)
		}
	}
	devices := func(kernel string) int {
		seen := map[int]bool{}
		for _, c := range plan.kernels[kernel].cases {
			for device := range plan.prepared.find(c.Name).passed {
				seen[device] = true
			}
		}
		return len(seen)
	}
	if sums, copies := devices("row_sums"), devices("copied"); sums != 2 || copies != 1 {
		t.Errorf("sums are judged on %d devices and copies on %d, want 2 and 1", sums, copies)
	}
}

// TestBudgets gives mutants the steps that the original needs in the same case, and not in larger ones.
func TestBudgets(t *testing.T) {
	sums := mutatedKernels()[0]
	sums.Sweep.Shapes = []suite.Shape{{suitetest.Rows: 1, suitetest.Wide: 200_000},
		{suitetest.Rows: 3, suitetest.Wide: 40}}
	plan, err := mutationOf(t, []suite.Kernel{sums}, mutated).Plan()
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	passed := plan.baseline(t.Context(), plan.kernels["row_sums"], 0).passed
	if len(passed) != 4 { // two sizes of each axis together
		t.Errorf("%d cases have passed, want 4", len(passed))
	}
	for _, p := range passed {
		if few := p.Shape[suitetest.Wide] == 40; few != (p.steps == leastSteps) || p.steps < leastSteps {
			t.Errorf("%s: %d steps, want %d for few columns and more for many", p.Name, p.steps, leastSteps)
		}
	}
}

// TestShared checks that a mutant of what two kernels call is one mutant, and
// survives only if both conform with it.
func TestShared(t *testing.T) {
	if testing.Short() {
		t.Skip("three times all mutants")
	}
	specifications := mutatedKernels()
	open := oracles.Answer{Want: make([]float64, 32),
		Budget: []oracles.Term{{Label: "open", Error: slices.Repeat([]float64{1e30}, 32)}}}
	specifications[1].Oracle = func(*suite.Problem) suite.Answers { return suite.Answers{"out": open} }
	for _, test := range []struct {
		name string
		list []suite.Kernel
		want string // that kills
	}{
		{"both", specifications, "row_sums"},
		{"the lenient one first", []suite.Kernel{specifications[1], specifications[0]}, "row_sums"},
		{"the lenient one alone", specifications[1:], ""},
	} {
		found := 0
		for _, m := range judgedMutants(t, mutationOf(t, test.list, mutated)) {
			if m.Function != "twice" || m.Change != "return v * «2.0f → 2.002f»;" {
				continue
			}
			found++
			if killer, _, _ := strings.Cut(m.Case, "/"); killer != test.want ||
				(m.Fate == Killed) != (test.want != "") {
				t.Errorf("%s: %s by %q, want to be killed by %q", test.name, m.Fate, m.Case, test.want)
			}
		}
		if found != 1 {
			t.Errorf("%s: %d mutants, want 1", test.name, found)
		}
	}
}

// TestMutatedPipeline has an invariant of a pipeline kill what the kernel's own cases, here too
// lenient, let live.
func TestMutatedPipeline(t *testing.T) {
	lenient := mutatedKernels()[1]
	lenient.Oracle = func(p *suite.Problem) suite.Answers {
		return suite.Answers{"out": {Want: make([]float64, p.Shape[suitetest.Wide]),
			Budget: []oracles.Term{{Label: "open", Error: slices.Repeat([]float64{1e30}, p.Shape[suitetest.Wide])}}}}
	}
	pipeline := suite.Pipeline{
		Name: "once", Doc: "Twice each element.", Axes: []suite.Axis{suitetest.Wide}, Kernels: []string{"doubled"},
		Buffers: suite.Args{suite.In("x", suite.F32, suitetest.Wide)},
		Sweep:   suite.Sweep{Shapes: []suite.Shape{{suitetest.Wide: 32}}},
		Run: func(c *suite.PipelineRun) {
			c.Launch(suite.Step{Kernel: "doubled"})
			want := oracles.Answer{Exact: true}
			for _, x := range c.Values("x") {
				want.Want = append(want.Want, 2*x)
			}
			c.Bounded("twice", "out", want)
		},
	}
	m := mutationOf(t, []suite.Kernel{lenient}, mutated)
	m.Cases = suite.Cases([]suite.Family{{Name: "test", Kernels: []suite.Kernel{lenient}},
		{Name: "pipelines", Pipelines: []suite.Pipeline{pipeline}}}, suite.Quick)
	killers := map[string]string{}
	for _, m := range judgedMutants(t, m) {
		killer, _, _ := strings.Cut(m.Case, "/")
		killers[m.Change] = strings.TrimSpace(fmt.Sprint(m.Fate, " ", killer, " ", m.Device))
	}
	for change, want := range map[string]string{
		"return v * «2.0f → 2.002f»;": "killed once plain",
		"«out[i] = twice(x[i]) →»;":   "killed doubled plain",
		"if («i < n → true») {":       "survived",
	} {
		if killers[change] != want {
			t.Errorf("%s is %q, want %q", change, killers[change], want)
		}
	}
}

// TestChosen selects mutants by kernels: a declaration that others share is
// judged by all of them.
func TestChosen(t *testing.T) {
	m := mutationOf(t, mutatedKernels(), mutated)
	m.Kernels = []string{"doubled"}
	functions := map[string]string{}
	for _, m := range judgedMutants(t, m) {
		functions[m.Function] = strings.Join(m.Kernels, " ")
	}
	if diff := cmp.Diff(map[string]string{"twice": "row_sums doubled", "doubled": "doubled"}, functions); diff != "" {
		t.Error(diff)
	}

	const key = "k.metal twice constant: return v * «2.0f → 2.002f»;"
	m.Only = func(k string) bool { return k == key }
	if got := judgedMutants(t, m); len(got) != 1 || got[0].Key != key {
		t.Errorf("chosen by key: %v", got)
	}
}

// TestReproducible checks that fates depend neither on how many are judged at once
// nor on where a run was interrupted.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("five times all mutants")
	}
	m := mutationOf(t, mutatedKernels(), mutated)
	m.Parallel = 1
	want := judgedMutants(t, m)
	m.Parallel = 5
	if diff := cmp.Diff(want, judgedMutants(t, m)); diff != "" {
		t.Errorf("five at once (-one +five):\n%s", diff)
	}
	knowing := [][]Mutant{append(want[7:], want[9]), want, want[:len(want)/2]}
	for _, known := range knowing {
		if diff := cmp.Diff(want, judgedMutants(t, m, known...)); diff != "" {
			t.Errorf("%d mutants behind %s known:\n%s", len(known), known[0].ID, diff)
		}
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	other, twice := want[1], want[1]
	other.ID, twice.Fate = "k.metal:99:1/other/1", "other"
	for _, wrong := range [][]Mutant{{other}, {want[1], twice}} {
		if err := plan.Decide(context.Background(), wrong, func(Mutant) {}); err == nil {
			t.Errorf("the fate of %s is taken over", wrong[0].ID)
		}
	}
}

// TestParts judges the mutants in parts, whatever their number: together they are what
// one process finds, duplicates of mutants in other parts included.
func TestParts(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	m := mutationOf(t, mutatedKernels(), mutated)
	want := judgedMutants(t, m)
	for _, n := range []int{2, 5} {
		var known []Mutant
		for part := range n {
			m.Part = func(i int) bool { return i%n == part }
			known = append(known, judgedMutants(t, m)...)
		}
		m.Part = nil
		if diff := cmp.Diff(want, judgedMutants(t, m, known...)); diff != "" {
			t.Errorf("%d parts (-one +joined):\n%s", n, diff)
		}
	}
}

// TestInterrupt ends a run: what has been reported is a first part.
func TestInterrupt(t *testing.T) {
	m := mutationOf(t, mutatedKernels(), mutated)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err = plan.Decide(ctx, nil, func(Mutant) { n++; cancel() })
	if err != context.Canceled || n == 0 || n == plan.Planned() {
		t.Errorf("%v after %d of %d mutants, want a first part", err, n, plan.Planned())
	}
}

// TestSample draws by the seed and keeps the order.
func TestSample(t *testing.T) {
	drawn := func(seed uint64, n int) []string {
		m := mutationOf(t, mutatedKernels(), mutated)
		m.Seed, m.Sample = seed, n
		plan, err := m.Plan()
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, m := range plan.Mutants() {
			keys = append(keys, m.Key)
		}
		return keys
	}
	all, sample := drawn(1, 0), drawn(1, 10)
	if len(sample) != 10 || !slices.Equal(sample, drawn(1, 10)) || slices.Equal(sample, drawn(2, 10)) {
		t.Errorf("samples %q, %q and with another seed %q", sample, drawn(1, 10), drawn(2, 10))
	}
	if more := drawn(1, 20); !slices.Equal(sample,
		slices.DeleteFunc(more, func(k string) bool { return !slices.Contains(sample, k) })) {
		t.Error("a larger sample does not hold the smaller one in its order")
	}
	if !slices.Equal(sample, slices.DeleteFunc(all, func(k string) bool { return !slices.Contains(sample, k) })) {
		t.Error("a sample is in another order than all mutants")
	}
}

// TestCosine judges by the rule in use elsewhere, where faults are seen and where
// they are not.
func TestCosine(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	got := map[Rule]map[string]string{}
	for _, rule := range []Rule{ByCosine, ByCosineOnGPU} {
		m := mutationOf(t, mutatedKernels(), mutated)
		m.Rule = rule
		got[rule] = map[string]string{}
		for _, m := range judgedMutants(t, m) {
			got[rule][m.Function+": "+m.Change] = strings.TrimSpace(fmt.Sprint(m.Fate, " ", m.Check))
		}
	}
	for change, fate := range map[string]struct{ plain, gpu string }{
		"twice: return v * «2.0f → 2.002f»;": {"survived", "survived"},
		// half of it points the same way
		"twice: return v «* 2.0f →»;":                                    {"survived", "survived"},
		"row_sums: «threadgroup_barrier(mem_flags::mem_threadgroup) →»;": {"survived", "survived"},
		"twice: return v «* → +» 2.0f;":                                  {"killed cosine", "killed cosine"},
		"row_sums: «out[row] = total →»;":                                {"killed cosine", "killed cosine"}, // zeros
		// past the last element
		"doubled: out[i«→ + 1»] = twice(x[i]);":              {"killed fault", "killed cosine"},
		"row_sums: threadgroup float partial[«64 → 63»];":    {"killed fault", "survived"},
		"row_sums: for (uint j = i; j < n; j «+= → =» 64) {": {"killed runaway", "killed runaway"},
	} {
		if got[ByCosine][change] != fate.plain || got[ByCosineOnGPU][change] != fate.gpu {
			t.Errorf("%s\n\tis %q and on a GPU %q, want %q and %q", change, got[ByCosine][change],
				got[ByCosineOnGPU][change], fate.plain, fate.gpu)
		}
	}
}

// TestTypical takes the roundest shape and the usual inputs for the one case that
// judges.
func TestTypical(t *testing.T) {
	list := mutatedKernels()
	list[0].Sweep.Inputs = []suite.Input{{Name: "normal", Random: true}, {Name: "zeros"}}
	list[0].Sweep.Shapes = []suite.Shape{{suitetest.Rows: 3, suitetest.Wide: 96}, {suitetest.Rows: 2,
		suitetest.Wide: 64}, {suitetest.Rows: 2, suitetest.Wide: 192}, {suitetest.Rows: 5, suitetest.Wide: 1000}}
	list[0].Sweep.Probes = []suite.Shape{{suitetest.Rows: 4, suitetest.Wide: 256}}
	m := mutationOf(t, list, mutated)
	m.Typical = true
	cases := map[string]bool{}
	for _, m := range judgedMutants(t, m) {
		cases[m.Case] = true
		if m.Cases > 2*len(m.Kernels) { // one on each device
			t.Errorf("%s was judged by %d cases", m.Key, m.Cases)
		}
	}
	delete(cases, "") // of survivors
	if got := slices.Sorted(maps.Keys(cases)); !slices.Equal(got,
		[]string{"doubled/n=32/input=normal", "row_sums/rows=4/n=256/input=normal"}) {
		t.Errorf("judged by %q", got)
	}
}

// TestUnjudged leaves out cases that the original fails, and kernels that are
// absent.
func TestUnjudged(t *testing.T) {
	list := mutatedKernels()
	oracle := list[0].Oracle
	list[0].Oracle = func(p *suite.Problem) suite.Answers {
		a := oracle(p)
		if p.Shape[suitetest.Wide] == 100 {
			a["out"].Want[0]++
		}
		return a
	}
	absent := list[1]
	absent.Name = "elsewhere"
	for _, m := range judgedMutants(t, mutationOf(t, append(list, absent), mutated)) {
		if strings.Contains(m.Case, "wide=100") || slices.Contains(m.Kernels, "elsewhere") {
			t.Errorf("%s was judged in %s, by %v", m.ID, m.Case, m.Kernels)
		}
		if m.Change == "sum += x[row «* → /» n + j];" && m.Fate != Killed {
			t.Errorf("%s %s: the case that is left does not kill it", m.ID, m.Fate)
		}
	}
}

// TestMutatedTables mutates a program with a table: its numbers are left alone, and what
// the program does with them is not.
func TestMutatedTables(t *testing.T) {
	text := `namespace a { constant float LEVELS[2] = {1.5f, 2.5f}; }
constant constexpr uint FIRST = 0;
kernel void level(device const float* x [[buffer(0)]], device float* out [[buffer(1)]], constant uint& n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) { out[i] = a::LEVELS[FIRST] * x[i]; }
`
	k := mutatedKernels()[1]
	k.Name = "level"
	k.Oracle = func(p *suite.Problem) suite.Answers {
		a := oracles.Answer{Exact: true}
		for _, v := range p.Values("x") {
			a.Want = append(a.Want, oracles.F32.Round(p.Table("TABLE")[0]*v))
		}
		return suite.Answers{"out": a}
	}
	for _, test := range []struct {
		table    []float64
		declared *suite.Declarations
		text     string
	}{
		{[]float64{1.5, 2.5}, nil, strings.ReplaceAll(text, "LEVELS", "TABLE")},
		{[]float64{1, 2}, &suite.Declarations{Tables: []suite.DeclaredTable{{Name: "TABLE", Constant: "a::LEVELS"}}},
			text},
	} {
		k.Tables = func(suite.Shape) []suite.Table { return []suite.Table{{Name: "TABLE", Values: test.table}} }
		mutation := mutationOf(t, []suite.Kernel{k}, test.text)
		mutation.Declared = test.declared
		killed := 0
		for _, m := range judgedMutants(t, mutation) {
			if m.Function == "LEVELS" || m.Function == "TABLE" {
				t.Errorf("%s: a number of the table is mutated", m.ID)
			}
			if m.Function == "FIRST" && m.Fate == Killed {
				killed++
			}
		}
		if killed == 0 {
			t.Error("no mutant that takes another level is killed")
		}
	}
}

// TestAnnotations reads explanations and compares them with survivors.
func TestAnnotations(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.txt":   "# why\n\nequivalent: one: the same\n\ta.metal f constant: x\n\ta.metal f index: y\n",
		"b.txt":   "undetected: needs 4 GiB\n\ta.metal g cast: z\n",
		"read.me": "not one of them\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	annotations, err := ReadAnnotations(dir)
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	want := []Annotation{
		{File: a, Line: 4, Key: "a.metal f constant: x", Equivalent: true, Reason: "one: the same"},
		{File: a, Line: 5, Key: "a.metal f index: y", Equivalent: true, Reason: "one: the same"},
		{File: b, Line: 2, Key: "a.metal g cast: z", Reason: "needs 4 GiB"},
	}
	if diff := cmp.Diff(want, annotations); diff != "" || err != nil {
		t.Fatalf("%v %s", err, diff)
	}
	if one, err := ReadAnnotations(b); err != nil || len(one) != 1 || one[0] != want[2] {
		t.Errorf("one file: %v, %v", one, err)
	}
	mutants := []Mutant{
		{Key: "a.metal f constant: x", Fate: Survived}, {Key: "a.metal f index: y", Fate: Killed},
		{Key: "a.metal g cast: z", Fate: Survived}, {Key: "a.metal h cast: u", Fate: Survived},
	}
	if got := Unannotated(mutants, annotations); len(got) != 1 || got[0].Key != "a.metal h cast: u" {
		t.Errorf("without an annotation: %v", got)
	}
	if got := StaleAnnotations(mutants, annotations); len(got) != 1 || got[0].Line != 5 {
		t.Errorf("stale: %v", got)
	}
	argued := ApplyAnnotations(mutants, annotations)
	if argued[0].Fate != Equivalent || argued[2].Fate != Survived || mutants[0].Fate != Survived {
		t.Errorf("argued: %v", argued)
	}
}

// TestAnnotationsRefused has an error for each mistake in a file.
func TestAnnotationsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"\ta.metal f constant: x\n": "x.txt:1: a mutant without a reason before it",
		"because: x\n":              "x.txt:1: want equivalent: or undetected: and a reason",
		"equivalent: x\n\ta\n\ta\n": "x.txt:3: the mutant is explained at x.txt:2 already",
		"undetected: \n\ta\n":       "x.txt:1: want equivalent: or undetected: and a reason",
	} {
		x := annotations{seen: map[string]Annotation{}}
		if err := x.read("x.txt", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	if _, err := ReadAnnotations(t.TempDir()); err == nil {
		t.Error("a directory without a file is no error")
	}
}
