package sim_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/sim"
)

// outcome is what a launch leaves in an f32 buffer, and what exact execution knows of it.
type outcome struct {
	values []float32
	exact  metalrun.Exact
}

// excess is how far element i of got is from its exact value, as a part of what any device may
// be off by; known is false if nothing is known or the values are not finite.
func (o *outcome) excess(i int, got float32) (ratio float64, known bool) {
	x, e, written := o.exact.Element(4 * i)
	if !written {
		x, e = float64(o.values[i]), 0
	}
	off := math.Abs(float64(got) - x)
	if off-off != 0 || math.IsInf(e, 0) || e != e {
		return 0, false
	}
	if off <= 0x1p-31*math.Abs(x) {
		return 0, true
	}
	return off / (e * (1 + 0x1p-31)), true
}

// TestExactOnRandomKernels runs random kernels, in every mode of mathematics, on random devices: each result has to
// lie within what exact execution of the reference device says, and that must not change a bit.
func TestExactOnRandomKernels(t *testing.T) {
	seeds := []uint64{209, 254, 421} // keep integers where some are certain, decide by a NaN, and by sums that cancel
	for seed := range uint64(60) {
		seeds = append(seeds, seed)
	}
	if testing.Short() {
		seeds = seeds[:6]
	}
	const threads, floats = 40, 3
	known := 0
	for _, seed := range seeds {
		source := eval.RandomKernel(seed)
		source = strings.Replace(source, "uint tid ", "device float *floats [[buffer(2)]], uint tid ", 1)
		source = source[:strings.LastIndexByte(source, '}')] +
			"  floats[tid * 3] = f; floats[tid * 3 + 1] = g; floats[tid * 3 + 2] = q.second;\n}\n"
		options := metalrun.CompileOptions{MathMode: metalrun.MathMode(seed % 3),
			LanguageVersion: metalrun.DefaultVersion}
		p := analysed(t, options, source)
		run := func(s sim.Semantics) (bits []byte, out outcome) {
			k := builtOf(t, s, p, "random")
			in, words, results := make([]byte, 4*64), make([]byte, 4*threads*eval.RandomOutputs),
				make([]byte, 4*threads*floats)
			for i := range 64 {
				binary.LittleEndian.PutUint32(in[4*i:], uint32(i*i%37-11))
			}
			b := metalrun.Binding{Index: 2, Data: results, Length: len(results)}
			if s.Exact {
				b.Exact = &out.exact
			}
			if _, err := k.Run(metalrun.Dispatch{
				Bindings: []metalrun.Binding{{Index: 0, Data: words, Length: len(words)},
					{Index: 1, Data: in, Length: len(in)}, b},
				Threads:               metalrun.Size{X: threads, Y: 1, Z: 1},
				ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
			}); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, source)
			}
			for i := range threads * floats {
				out.values = append(out.values, math.Float32frombits(binary.LittleEndian.Uint32(results[4*i:])))
			}
			return slices.Concat(words, results), out
		}
		plain, _ := run(sim.Semantics{})
		bits, exact := run(sim.Semantics{Exact: true})
		if !slices.Equal(plain, bits) {
			t.Fatalf("seed %d: exact execution changes results\n%s", seed, source)
		}
		for number := range 4 {
			_, other := run(sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Number: number + 1, Choices: -1}})
			for i, got := range other.values {
				if ratio, ok := exact.excess(i, got); ratio > 1 {
					x, e, _ := exact.exact.Element(4 * i)
					t.Fatalf("seed %d, device %d: floats[%d] = %v, want %v within %v\n%s", seed, number+1, i, got, x, e,
						source)
				} else if ok {
					known++
				}
			}
		}
	}
	if least := len(seeds) * threads * floats * 4 / 4; known < least {
		t.Errorf("%d values were known, want at least %d", known, least)
	}
}

// exactExpressions are functions of four numbers.
var exactExpressions = []struct {
	expression string
	least      float64 // part of what any device may be off by that the climb has to come to
}{
	{"a * b + c * d", 0.5},
	{"(a + b) - (c + d)", 0.5},
	{"a / b - c / d", 0.4},
	{"fma(a, b, c) * d", 0.5},
	{"exp(a) * exp(-b) + log(abs(c) + 1.0f)", 0.1},
	{"a * rsqrt(b * b + c * c + 1.0f)", 0.2},
	{"a / (1.0f + exp(-b)) * c", 0.1},
	{"simd_sum(a * b) * c", 0.02},
	{"max(a, b) - min(c, d)", 0.3},
	{"fast::exp(a) + fast::divide(b, abs(c) + 1.0f) + tanh(d)", 0.05},
	{"float(half(a) * half(b)) + c", 0.1},
	{"precise::sin(a) * precise::cos(b) + pow(abs(c) + 0.5f, d)", 0.02},
	{"a > b ? c : d", 0},
}

// TestExactBoundsHold climbs towards the largest error of expressions on adversarial devices, as a
// part of what exact execution says that any device may be off by: none exceeds it, and it is not
// far from what is reached.
func TestExactBoundsHold(t *testing.T) {
	iterations := 100
	if testing.Short() {
		iterations = 15
	}
	for _, test := range exactExpressions {
		t.Run(test.expression, func(t *testing.T) {
			t.Parallel()
			c := climbing(t, test.expression, 1)
			if worst := c.run(t, iterations); worst < test.least && !testing.Short() {
				t.Errorf("the climb comes to %.3g of the bound, want %g", worst, test.least)
			}
		})
	}
}

// rewrittenExpressions are functions of four numbers in which a compiler may do what the modes allow.
var rewrittenExpressions = []struct {
	expression string
	least      float64 // as of exactExpressions, in relaxed math
}{
	{"(a + b) + (c - a) + d", 0.1},
	{"a * b + a * c - a * d", 0.1},
	{"(a + b) * (c - d)", 0.1},
	{"(a * b + a * c) / (1.0f + b * b) + d / (1.0f + b * b)", 0.05},
	{"a * b * c * d", 0.1},
	{"exp(a) * exp(b) - c * d", 0.05},
	{"(a / sqrt(b * b + 1.0f)) * c + sqrt(abs(d)) * sqrt(abs(d))", 0.02},
	{"log(exp(a)) + pow(b, 3.0f) * c", 0.02},
	{"a * b / b + (c + d) - c", 0.02},
	{"dot(float4(a, b, c, d), float4(d, a, b, c))", 0.1},
	{"total(in, a, b)", 0.02},
}

// TestExactBoundsHoldForRewritings is TestExactBoundsHold for what devices make of an expression in
// relaxed and in fast math.
func TestExactBoundsHoldForRewritings(t *testing.T) {
	iterations := 30
	if testing.Short() {
		iterations = 5
	}
	for _, mode := range []metalrun.MathMode{metalrun.MathRelaxed, metalrun.MathFast} {
		options := metalrun.CompileOptions{MathMode: mode, FastFunctions: mode == metalrun.MathFast,
			LanguageVersion: metalrun.DefaultVersion}
		for _, test := range rewrittenExpressions {
			t.Run(fmt.Sprintf("%v/%s", mode, test.expression), func(t *testing.T) {
				t.Parallel()
				c := climbingIn(t, options, test.expression, 2)
				worst := c.run(t, iterations)
				if worst < test.least && mode == metalrun.MathRelaxed && !testing.Short() {
					t.Errorf("the climb comes to %.3g of the bound, want %g", worst, test.least)
				}
			})
		}
	}
}

// TestExactBoundsHoldForHalves is TestExactBoundsHold for products of matrices of halves, whose subnormals may count as
// zero: operands (the second and the third) and results (the first).
func TestExactBoundsHoldForHalves(t *testing.T) {
	for _, expression := range []string{
		"float(product(half2(a, b) * 0x1p-9h, half2(c, d) * 0x1p-9h, half2(0)))",
		"float(product(half2(a, b), half2(c, d), half2(b, a) * 0x1p-15h)) * 0x1p14f",
		"float(product(half2(a, b) * 0x1p-15h, half2(c, d) * 64.0h, half2(0)))",
	} {
		c := climbing(t, expression, 3)
		if worst := c.run(t, 20); worst < 0.05 {
			t.Errorf("%s: the climb comes to %.3g of the bound, want 0.05", expression, worst)
		}
	}
}

// BenchmarkExactBounds climbs on: b.N turns for each expression, from other inputs each time. It counts the
// values that it has compared with what any device may be off by.
func BenchmarkExactBounds(b *testing.B) {
	compared := 0
	for _, test := range exactExpressions {
		c := climbing(b, test.expression, uint64(b.N))
		c.run(b, b.N)
		compared += b.N * climbers * len(c.devices)
	}
	b.ReportMetric(float64(compared), "values")
	b.ReportMetric(0, "ns/op")
}

// climbing is a climb for an expression.
func climbing(t testing.TB, expression string, seed uint64) *climb {
	t.Helper()
	return climbingIn(t, metalrun.CompileOptions{}, expression, seed)
}

// climbingIn is one for a build with options.
func climbingIn(t testing.TB, options metalrun.CompileOptions, expression string, seed uint64) *climb {
	t.Helper()
	compiled := func(t testing.TB, s sim.Semantics, source, name string) metalrun.Kernel {
		return built(t, s, options, source, name)
	}
	source := "#include <metal_stdlib>\nusing namespace metal;\n" +
		"float total(device const float4* in, float a, float b) { float s = 0.0f; for (int i = 0; i < 40; i++) { s " +
		"+= a * in[i].x - b; } return s; }\n" +
		"half product(half2 a, half2 b, half2 c) { simdgroup_half8x8 x, y, z; x.thread_elements() = a; " +
		"y.thread_elements() = b; z.thread_elements() = c; simdgroup_multiply_accumulate(z, x, y, z); return " +
		"z.thread_elements()[0]; }\n" +
		"kernel void f(device const float4* in [[buffer(0)]], device float* out [[buffer(1)]], uint i " +
		"[[thread_position_in_grid]])\n" +
		"{\n\tconst float a = in[i].x, b = in[i].y, c = in[i].z, d = in[i].w;\n\tout[i] = " + expression + ";\n}\n"
	c := &climb{random: rand.New(rand.NewPCG(seed, uint64(len(expression)))),
		exact: compiled(t, sim.Semantics{Exact: true}, source, "f")}
	for n := range 6 {
		c.devices = append(c.devices, compiled(t,
			sim.Semantics{Adversary: &sim.Adversary{Seed: uint64(n), Number: n%2 + 1, Choices: -1}}, source, "f"))
	}
	c.devices = append(c.devices, compiled(t, sim.Apple(), source, "f"))
	return c
}

// climb is a search for inputs with large errors: each lane keeps its best ones and tries others
// near them.
type climb struct {
	random  *rand.Rand
	exact   metalrun.Kernel
	devices []metalrun.Kernel
}

const climbers = 64

func (c *climb) run(t testing.TB, iterations int) (worst float64) {
	var best [climbers]float64
	inputs := make([]float32, 4*climbers)
	for i := range inputs {
		inputs[i] = float32(c.random.NormFloat64() * 2)
	}
	for iteration := range iterations {
		tried := slices.Clone(inputs)
		for i := range tried {
			switch c.random.IntN(4) {
			case 0:
				tried[i] *= 1 + float32(c.random.NormFloat64())*0.1
			case 1:
				tried[i] = math.Float32frombits(math.Float32bits(tried[i]) ^ 1<<c.random.IntN(24))
			case 2:
				if iteration%10 == 0 {
					tried[i] = float32(c.random.NormFloat64() * 3)
				}
			}
		}
		o := launchOn(t, c.exact, tried, true)
		var ratios [climbers]float64
		for _, d := range c.devices {
			for i, got := range launchOn(t, d, tried, false).values {
				ratio, _ := o.excess(i, got)
				if ratio > 1 {
					x, e, _ := o.exact.Element(4 * i)
					t.Fatalf("%v at %v: want %v within %v", got, tried[4*i:4*i+4], x, e)
				}
				ratios[i] = max(ratios[i], ratio)
			}
		}
		for i, r := range ratios {
			if r >= best[i] {
				best[i] = r
				copy(inputs[4*i:], tried[4*i:4*i+4])
			}
			worst = max(worst, r)
		}
	}
	return worst
}

func launchOn(t testing.TB, k metalrun.Kernel, inputs []float32, exact bool) (o outcome) {
	t.Helper()
	o, _ = launchFollowed(t, k, inputs, exact)
	return o
}

// compiled is a kernel of a source on a simulator.
func compiled(t testing.TB, s sim.Semantics, source, name string) metalrun.Kernel {
	t.Helper()
	return built(t, s, metalrun.CompileOptions{}, source, name)
}

// built is one of a build with options.
func built(t testing.TB, s sim.Semantics, options metalrun.CompileOptions, source, name string) metalrun.Kernel {
	t.Helper()
	return builtOf(t, s, analysed(t, options, source), name)
}

func analysed(t testing.TB, options metalrun.CompileOptions, source string) *metalrun.Program {
	t.Helper()
	p, err := metalrun.Analyse(metalrun.SourceText("exact.metal", source), options)
	if err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, source))
	}
	return p
}

// builtOf is one of a program.
func builtOf(t testing.TB, s sim.Semantics, p *metalrun.Program, name string) metalrun.Kernel {
	t.Helper()
	library, err := sim.New(s).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	k, err := library.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
