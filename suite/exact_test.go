package suite

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
)

// foreignSource is a kernel of nobody's catalogue: the softmax of rows, each by one simdgroup.
const foreignSource = `#include <metal_stdlib>
using namespace metal;

kernel void row_softmax(
    device const float* x [[buffer(0)]],
    device bfloat*      narrow [[buffer(1)]],
    device float*       y [[buffer(2)]],
    constant uint&      n [[buffer(3)]],
    uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    device const float* own = x + row * n;
    float largest = -INFINITY;
    for (uint i = lane; i < n; i += 32) {
        largest = max(largest, own[i]);
    }
    largest = simd_max(largest);
    float sum = 0.0f;
    for (uint i = lane; i < n; i += 32) {
        sum += exp(own[i] - largest);
    }
    sum = simd_sum(sum);
    for (uint i = lane; i < n; i += 32) {
        y[row * n + i] = exp(own[i] - largest) / sum;
        narrow[row * n + i] = bfloat(exp(own[i] - largest) / sum);
    }
}
`

// foreign is its specification: no contract, and a definition of five lines.
func foreign() Kernel {
	const rows, n = Axis("rows"), Axis("n")
	return Kernel{
		Name: "row_softmax", Axes: []Axis{rows, n},
		Args: Args{In("x", F32, rows, n), Out("narrow", BF16, rows, n), Out("y", F32, rows, n), Const("n", U32, n)},
		Grid: Grid{Threadgroups: []Extent{rows}, Of: []Extent{Fixed(32)}},
		Sweep: Sweep{Probes: []Shape{{rows: 3, n: 77}, {rows: 1, n: 5}, {rows: 2, n: 300}},
			Inputs: append(Standard(nil, "x"), Input{Name: "spread", Fills: Fills{"x": Scaled(Normal, 8)}})},
		Oracle: func(p *Problem) Answers {
			x, n := p.Values("x"), p.Shape[n]
			y := make([]float64, len(x))
			for first := 0; first < len(x); first += n {
				sum, largest := 0.0, slices.Max(x[first:first+n])
				for i := range n {
					y[first+i] = math.Exp(x[first+i] - largest)
					sum += y[first+i]
				}
				for i := range n {
					y[first+i] /= sum
				}
			}
			return Answers{"y": {Want: y, Plain: true}, "narrow": {Want: y, Plain: true}}
		},
	}
}

// foreignFaults are edits of the source, and the check that has to see them.
var foreignFaults = []struct {
	name, old, new string
}{
	{"log2 e to six digits", "sum += exp(own[i] - largest);", "sum += exp2(1.44270f * (own[i] - largest));"},
	{"the last term left out", "i < n; i += 32) {\n        sum", "i < n - 1; i += 32) {\n        sum"},
	{"an epsilon in the divisor", "sum = simd_sum(sum);", "sum = simd_sum(sum) + 1e-7f;"},
	{"small weights dropped", "sum += exp(own[i] - largest);",
		"sum += own[i] < largest - 20.0f ? 0.0f : exp(own[i] - largest);"},
	{"a neighbour's element", "y[row * n + i] = exp(own[i] - largest)",
		"y[row * n + i] = exp(own[max(i, 1u) - 1] - largest)"},
	{"one simdgroup's first row for all", "x + row * n", "x"},
}

// TestForeignKernel judges a kernel by its definition alone, with no number that anybody has
// chosen: as it is it conforms, and with each fault it does not.
func TestForeignKernel(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	for _, r := range foreignResults(t, runner, foreignSource) {
		if r.Status != Pass {
			t.Errorf("as it is: %s: %s", r.Case, r.Text())
		}
	}
	for _, fault := range foreignFaults {
		t.Run(fault.name, func(t *testing.T) {
			source := strings.Replace(foreignSource, fault.old, fault.new, 1)
			if source == foreignSource {
				t.Fatalf("the source has no %q", fault.old)
			}
			found := map[Check]bool{}
			for _, r := range foreignResults(t, runner, source) {
				for _, f := range r.Failures {
					found[f.Check] = true
				}
			}
			if !found[CheckFormula] {
				t.Errorf("found %v, want %s", found, CheckFormula)
			}
		})
	}
}

// foreignAlternatives are edits of the source that leave it right: a literal stands for a number
// that its format does not have.
var foreignAlternatives = []struct {
	name, old, new string
}{
	{"exp2", "exp(own[i] - largest)", "exp2(M_LOG2E_F * (own[i] - largest))"},
	{"exp2, log2 e to nine digits", "exp(own[i] - largest)", "exp2((own[i] - largest) * 1.44269504f)"},
	{"two literals", "exp(own[i] - largest)", "exp2((own[i] * 0.1f - largest * 0.1f) * 14.4269504f)"},
	{"a reciprocal", " / sum", " * (1.0f / sum)"},
	{"a factor that cancels", "exp(own[i] - largest)", "(exp(own[i] - largest) * 0.3f)"},
}

// TestForeignAlternatives judges other kernels with the same definition: none has another formula.
func TestForeignAlternatives(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	runner := sim.New(sim.Semantics{})
	for _, alternative := range foreignAlternatives {
		source := strings.ReplaceAll(foreignSource, alternative.old, alternative.new)
		if source == foreignSource {
			t.Fatalf("the source has no %q", alternative.old)
		}
		for _, r := range foreignResults(t, runner, source) {
			if r.Status != Pass && r.Status != Skip {
				t.Errorf("%s: %s: %s", alternative.name, r.Case, r.Text())
			}
		}
	}
}

// TestDefinitionsWithoutDigits: what float64 has few digits of is no other formula, and anything larger is.
func TestDefinitionsWithoutDigits(t *testing.T) {
	for want, right := range map[float64]bool{0: true, -3e-322: true, 0x1p-980: true, 0x1p-960: false, 1e-30: false} {
		definition := oracles.Answer{Want: []float64{want}, Plain: true}
		o := exactOutput{run: &exactRun{}, values: []exactValue{{}}, format: oracles.F32,
			definitions: []oracles.Answer{definition}}
		ratio, known := o.formula(0)
		if !known || ratio <= 1 != right || math.Abs(want) <= o.bound(0) != right {
			t.Errorf("0 for %g: %g of what it may be off by, within %g", want, ratio, o.bound(0))
		}
	}
}

// TestMeantLiterals: one choice of the numbers that literals stand for has to fit all elements.
func TestMeantLiterals(t *testing.T) {
	for name, c := range map[string]struct {
		equations [][3]float64 // two changes, and what they have to make up for
		shares    []float64
	}{
		"each of its own":    {[][3]float64{{2, 0, 1}, {0, 4, -3}, {2, 4, -2}}, []float64{0.5, -0.75}},
		"no effect":          {[][3]float64{{2, 0, 1}, {3, 0, 1.5}}, []float64{0.5, 0}},
		"too far":            {[][3]float64{{1, 0, 1.5}, {0, 1, 0}}, nil},
		"none fits them all": {[][3]float64{{1, 0, 0.5}, {1, 0, -0.5}}, []float64{0, 0}},
	} {
		f := newFit(2)
		for _, e := range c.equations {
			f.add(e[:2], e[2], 1e-9)
		}
		shares, ok := f.solve()
		if ok != (c.shares != nil) || !slices.EqualFunc(shares, c.shares, func(a, b float64) bool {
			return math.Abs(a-b) < 1e-9
		}) {
			t.Errorf("%s: %v, want %v", name, shares, c.shares)
		}
	}
}

// exactDevices are those of the command.
func exactDevices() *Exact {
	return NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
		return sim.New(sim.Exactly(a))
	})
}

// TestRoundingOfADevice judges a device one of whose results is off by 30 units in the last place.
func TestRoundingOfADevice(t *testing.T) {
	found := map[Check]bool{}
	for _, r := range foreignResults(t, displacing{sim.New(sim.Semantics{})}, foreignSource) {
		for _, f := range r.Failures {
			found[f.Check] = true
			if text := f.String(); f.Check == CheckRounding &&
				!strings.Contains(text, "no device may be off by more than") {
				t.Errorf("the failure says %q", text)
			}
		}
	}
	if !found[CheckRounding] || found[CheckFormula] {
		t.Errorf("found %v, want %s and not %s", found, CheckRounding, CheckFormula)
	}
}

// scoreSource is a kernel of what exact execution has to follow with care: a function left early by
// a threshold, a clamp that rounding decides, atomic additions of floats and a filled shuffle.
const scoreSource = `#include <metal_stdlib>
using namespace metal;

static float softplus(float x)
{
    if (x > 20.0f) {
        return x;
    }
    return log(1.0f + exp(x));
}

kernel void scores(
    device const float* x [[buffer(0)]],
    device const float* w [[buffer(1)]],
    device float*       y [[buffer(2)]],
    device atomic_float* sums [[buffer(3)]],
    constant uint&      n [[buffer(4)]],
    uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    if (i >= n) {
        return;
    }
    float v = softplus(x[i] * w[i] - w[i]);
    if (v * w[i] > x[i]) {
        v = v * w[i];
    } else {
        v = x[i];
    }
    y[i] = v;
    atomic_fetch_add_explicit(&sums[i % 4], v * v, memory_order_relaxed);
}
`

// scores is its specification.
func scores() Kernel {
	const n, few = Axis("n"), Fixed(4)
	return Kernel{
		Name: "scores", Axes: []Axis{n}, Roundings: RoundingsDefined,
		Args: Args{In("x", F32, n), In("w", F32, n), Out("y", F32, n), InOut("sums", F32, few), Const("n", U32, n)},
		Grid: Grid{Threads: []Extent{n}, Of: []Extent{Fixed(64)}},
		Sweep: Sweep{Probes: []Shape{{n: 1}, {n: 77}, {n: 300}},
			Inputs: append(Standard(nil, "x", "w"), Input{Name: "wide", Fills: Fills{"x": Scaled(Normal, 20)}})},
		Oracle: func(p *Problem) Answers {
			x, w := p.Values("x"), p.Values("w")
			y, sums := make([]float64, len(x)), slices.Clone(p.Values("sums"))
			for i := range x {
				y[i] = x[i]*w[i] - w[i]
				if y[i] <= 20 {
					y[i] = math.Log1p(math.Exp(y[i]))
				}
				if scaled := y[i] * w[i]; scaled > x[i] {
					y[i] = scaled
				} else {
					y[i] = x[i]
				}
				sums[i%4] += y[i] * y[i]
			}
			return Answers{"y": {Want: y, Plain: true}, "sums": {Want: sums, Plain: true}}
		},
	}
}

// scoreFaults are edits of it.
var scoreFaults = []struct{ name, old, new string }{
	{"a lower threshold", "x > 20.0f", "x > 15.0f"},
	{"a term dropped", "atomic_fetch_add", "if (i != 5) atomic_fetch_add"},
	{"eleven bits of w", "v * w[i];", "v * float(half(w[i]));"}, // the specification has no such rounding
	{"the other bound", "> x[i]", "< x[i]"},
	{"an offset of 1e-7", "1.0f + exp", "1.0000001f + exp"},
	{"a neighbour's", "y[i] = v;", "y[i] = simd_shuffle_and_fill_up(v, v, ushort(1));"},
}

// TestForeignDecisions judges a kernel in which rounding decides, as TestForeignKernel does.
func TestForeignDecisions(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	for _, r := range exactResults(t, runner, scoreSource, scores()) {
		if r.Status != Pass {
			t.Errorf("as it is: %s: %s", r.Case, r.Text())
		}
	}
	for _, fault := range scoreFaults {
		t.Run(fault.name, func(t *testing.T) {
			source := strings.Replace(scoreSource, fault.old, fault.new, 1)
			if source == scoreSource {
				t.Fatalf("the source has no %q", fault.old)
			}
			failed := false
			for _, r := range exactResults(t, runner, source, scores()) {
				failed = failed || r.Status == Fail
			}
			if !failed {
				t.Error("it conforms")
			}
		})
	}
}

// dotSource scores a query with keys, in bfloat.
const dotSource = `#include <metal_stdlib>
using namespace metal;

kernel void dots(
    device const float* q [[buffer(0)]],
    device const float* k [[buffer(1)]],
    device bfloat*      y [[buffer(2)]],
    constant uint&      d [[buffer(3)]],
    uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    float sum = 0.0f;
    for (uint i = lane; i < d; i += 32) {
        sum += q[i] * k[row * d + i];
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        y[row] = bfloat(sum * rsqrt(float(d)));
    }
}
`

// dots is its specification, with the budget that its output's format gives: an ulp.
func dots() Kernel {
	const rows, d = Axis("rows"), Axis("d")
	return Kernel{
		Name: "dots", Axes: []Axis{rows, d},
		Args: Args{In("q", F32, d), In("k", F32, rows, d), Out("y", BF16, rows), Const("d", U32, d)},
		Grid: Grid{Threadgroups: []Extent{rows}, Of: []Extent{Fixed(32)}},
		Sweep: Sweep{Shapes: []Shape{{rows: 3, d: 4096}},
			Inputs: []Input{{Name: "positive", Fills: Fills{"q": Positive, "k": Positive}}}},
		Oracle: func(p *Problem) Answers {
			q, k, d := p.Values("q"), p.Values("k"), p.Shape[d]
			y, ulp := make([]float64, len(k)/d), make([]float64, len(k)/d)
			for row := range y {
				for i := range d {
					y[row] += q[i] * k[row*d+i]
				}
				y[row] /= math.Sqrt(float64(d))
				ulp[row] = 0x1p-7 * math.Abs(y[row])
			}
			return Answers{"y": {Want: y, Budget: []oracles.Term{{Label: "one unit of bfloat", Error: ulp}}}}
		},
	}
}

// TestFormulaAlone: faults of a kernel whose output is too coarse to show them.
func TestFormulaAlone(t *testing.T) {
	for _, fault := range []struct{ name, old, new string }{
		{"as it is", "rsqrt", "rsqrt"},
		{"1/√(d + 1)", "rsqrt(float(d))", "rsqrt(float(d + 1))"},
		{"one term of 4096 left out", "i < d;", "i < d - 1;"},
		{"the root to seven digits", "rsqrt(float(d))", "0.01562501f"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			found := map[Check]bool{}
			for _, r := range exactResults(t, sim.New(sim.Semantics{}),
				strings.Replace(dotSource, fault.old, fault.new, 1), dots()) {
				for _, f := range r.Failures {
					found[f.Check] = true
				}
			}
			want := map[Check]bool{CheckFormula: true}
			if fault.old == fault.new {
				want = map[Check]bool{}
			}
			if !maps.Equal(found, want) {
				t.Errorf("found %v, want %v", found, want)
			}
		})
	}
}

// TestForeignTakenApart: a kernel that takes bits of its floats for integers is judged by no bound of
// ours, and that is said, with the place.
func TestForeignTakenApart(t *testing.T) {
	source := strings.Replace(scoreSource, "y[i] = v;", "y[i] = as_type<float>(as_type<uint>(exp(v)) ^ 1u);", 1)
	for _, r := range exactResults(t, sim.New(sim.Semantics{}), source, scores()) {
		if r.Case == "scores/n=300/input=normal" &&
			(r.Status != Error || !strings.Contains(r.Reason, "bits of a float are taken apart at foreign.metal:29")) {
			t.Errorf("%s: %s %s", r.Case, r.Status, r.Text())
		}
	}
}

// TestPlainNeedsExactExecution: without it there is nothing to judge by.
func TestPlainNeedsExactExecution(t *testing.T) {
	s := foreignShaders(t, foreignSource)
	cases := Cases([]Family{{Name: "foreign", Kernels: []Kernel{foreign()}}}, Quick)
	err := Run(t.Context(), sim.New(sim.Semantics{}), Options{Shaders: s}, cases[:1], func(r Result) {
		if r.Status != Error || !strings.Contains(r.Reason, "-exact") {
			t.Errorf("got %s: %s", r.Status, r.Reason)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func foreignShaders(t *testing.T, source string) *Shaders {
	t.Helper()
	s, err := OpenShaders(files(map[string]string{"foreign.metal": source}), metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func foreignResults(t *testing.T, runner metalrun.Runner, source string) []Result {
	t.Helper()
	return exactResults(t, runner, source, foreign())
}

// exactResults judges a kernel with exact execution.
func exactResults(t *testing.T, runner metalrun.Runner, source string, k Kernel) (results []Result) {
	t.Helper()
	opts := Options{Shaders: foreignShaders(t, source), Exact: exactDevices()}
	cases := Cases([]Family{{Name: "foreign", Kernels: []Kernel{k}}}, Quick)
	if err := Run(t.Context(), runner, opts, cases, func(r Result) { results = append(results, r) }); err != nil {
		t.Fatal(err)
	}
	return results
}

// displacing is a device that is wrong: it moves the first element of buffer 2 by 30 units in the
// last place.
type displacing struct{ metalrun.Runner }

func (d displacing) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := d.Runner.Compile(p)
	return displacedLibrary{l}, err
}

type displacedLibrary struct{ metalrun.Library }

func (l displacedLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	return displacedKernel{k}, err
}

type displacedKernel struct{ metalrun.Kernel }

func (k displacedKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	out, err := k.Kernel.Run(d)
	b := d.Bindings[2]
	word := b.Data[b.Offset:][:4]
	binary.LittleEndian.PutUint32(word, binary.LittleEndian.Uint32(word)+30)
	return out, err
}
