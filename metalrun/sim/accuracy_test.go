package sim_test

import (
	"fmt"
	"math"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// accuracyTest is an expression of x, and how far devices may be from its value. An
// unset end of [from, to] is that of [0.1, 3.2].
type accuracyTest struct {
	expression string
	fast       bool // compiled with fast functions
	from, to   float64
	exact      func(x float64) float64
	limit      func(x, exact float64) float64 // largest error; +Inf: anything
	least      float64                        // of the limit, that the worst device has to come to
}

// ulps limits an error to n ulp of f32.
func ulps(n float64) func(_, exact float64) float64 {
	return func(_, exact float64) float64 { return n * ulp(exact) }
}

func absolutely(e float64) func(_, _ float64) float64 { return func(_, _ float64) float64 { return e } }

// halfUlps limits an error to n ulp of half.
func halfUlps(n float64) func(_, exact float64) float64 {
	return func(_, exact float64) float64 { return n * math.Ldexp(1, math.Ilogb(exact)-10) }
}

// composed limits an error to a relative one that comes of a few functions with limits
// of their own, evaluated at x, in units of 2⁻²⁴.
func composed(u float64) func(_, exact float64) float64 {
	return func(_, exact float64) float64 { return u * 0x1p-24 * math.Abs(exact) }
}

func anything(_, _ float64) float64 { return math.Inf(1) }

var accuracyTests = []accuracyTest{
	// Table 8.1.
	{"precise::exp(x)", false, 0, 0, math.Exp, ulps(4), 0.8},
	{"precise::cos(x)", false, 0, 0, math.Cos, ulps(4), 0.8},
	{"precise::atan(x)", false, 0, 0, math.Atan, ulps(5), 0.8},
	{"precise::tan(x)", false, 0, 0, math.Tan, ulps(6), 0.8},
	{"precise::pow(x, 3.0f)", false, 0, 0, func(x float64) float64 { return x * x * x }, ulps(16), 0.9},
	{"precise::sqrt(x)", false, 0, 0, math.Sqrt, ulps(0.5), 0.5},
	{"precise::divide(1.5f, x)", false, 0, 0, func(x float64) float64 { return 1.5 / x }, ulps(0.5), 0.5},
	{"1.5f / x", false, 0, 0, func(x float64) float64 { return 1.5 / x }, ulps(0.5), 0.5},

	// Table 8.2: ulps, and absolute limits.
	{"fast::exp(x * 10)", false, 0, 0, func(x float64) float64 { return math.Exp(float64(float32(x) * 10)) },
		func(x, exact float64) float64 { return (3 + math.Floor(20*x)) * ulp(exact) }, 0.8},
	{"fast::log(x)", false, 0.5, 2, math.Log, absolutely(0x1p-21), 0.8},
	{"fast::log(x)", false, 2.1, 9, math.Log, ulps(3), 0.7},
	{"fast::log2(x)", false, 0.5, 2, math.Log2, absolutely(0x1p-22), 0.8},
	{"fast::log2(x)", false, 2.1, 9, math.Log2, ulps(2), 0.7},
	{"fast::log(x)", false, -2, -1, math.Log, anything, 0},
	{"fast::cos(x)", false, 0, 3, math.Cos, absolutely(0x1p-13), 0.8},
	{"fast::sinpi(x)", false, -1, 1, func(x float64) float64 { return math.Sin(math.Pi * x) }, absolutely(0x1p-13),
		0.8},
	{"fast::cospi(x)", false, -1, 1, func(x float64) float64 { return math.Cos(math.Pi * x) }, absolutely(0x1p-13),
		0.8},
	{"fast::cospi(x)", false, 1.5, 2, func(x float64) float64 { return math.Cos(math.Pi * x) }, absolutely(2), 0.4},
	{"fast::rsqrt(x)", false, 0, 0, func(x float64) float64 { return 1 / math.Sqrt(x) }, ulps(2), 0.7},
	{"fast::divide(1.5f, x)", false, 0, 0, func(x float64) float64 { return 1.5 / x }, ulps(2.5), 0.7},
	{"1.5f / x", true, 0, 0, func(x float64) float64 { return 1.5 / x }, ulps(2.5), 0.7},
	// a reciprocal that is flushed
	{"1.5f / x", true, 0x1p126, 0x1p127, func(x float64) float64 { return 1.5 / x },
		func(_, exact float64) float64 { return exact }, 1},

	// Table 8.2: "implemented as". A function of ±n ulp is off by up to 2n units.
	{"fast::sqrt(x)", false, 0, 0, math.Sqrt, composed(5), 0.5},
	{"fast::tan(x)", false, 0.1, 1.5, math.Tan,
		func(x, exact float64) float64 {
			return 0x1p-13 * (1 + math.Abs(exact)) / (math.Cos(x) - 0x1p-13) * 1.01
		}, 0.5},
	{"fast::tanh(x)", false, 0.5, 3.2, math.Tanh, composed(60), 0.1},
	{"fast::tanh(x)", false, 45, 80, math.Tanh, anything, 0}, // ∞/∞
	{"fast::sinh(x)", false, 0.5, 3.2, math.Sinh, composed(60), 0.1},
	{"fast::cosh(x)", false, 0.5, 3.2, math.Cosh, composed(30), 0.1},
	{"fast::asinh(x)", false, 0.5, 3.2, math.Asinh, composed(40), 0.1},
	{"fast::asinh(x)", false, -9000, -5000, math.Asinh, anything, 0}, // log(0)
	{"fast::acosh(x)", false, 2, 3, math.Acosh, composed(40), 0.1},
	{"fast::atanh(x)", false, 0.5, 0.9, math.Atanh, composed(40), 0.1},
	{"fast::exp10(x)", false, 0, 0, func(x float64) float64 { return math.Pow(10, x) }, composed(100), 0.2},
	{"fast::log10(x)", false, 2.1, 9, math.Log10, composed(8), 0.3},
	{"fast::pow(x, 20.0f)", false, 1.5, 3, func(x float64) float64 { return math.Pow(x, 20) }, composed(700), 0.1},
	{"fast::pow(x, 2.0f)", false, -3, -1, func(x float64) float64 { return x * x }, anything, 0},

	// Table 8.3, and half arithmetic whose results are subnormal.
	{"float(exp(half(x)))", false, 0.25, 3, func(x float64) float64 { return math.Exp(half(x)) }, halfUlps(1), 0.8},
	{"float(half(x) / half(3))", false, 0.25, 3, func(x float64) float64 { return half(x) / 3 }, halfUlps(0.5), 0.5},
	{"float(half(x) * half(0x1p-15))", false, 0.25, 1, func(x float64) float64 { return half(half(x) * 0x1p-15) },
		func(_, exact float64) float64 { return exact }, 1},
	{"float(half(x * 0x1p-15f))", false, 0.25, 1, func(x float64) float64 { return half(x * 0x1p-15) },
		absolutely(0), 0},
}

// half is a positive number of at least 2⁻²⁴ rounded to half.
func half(x float64) float64 {
	ulp := math.Ldexp(1, max(math.Ilogb(x), -14)-10)
	return math.RoundToEven(x/ulp) * ulp
}

// TestAccuracy holds many devices to the limits that the specification sets to
// functions and quotients, and the worst of them to coming near: an adversary that
// keeps away from a limit finds no kernel that relies on more.
func TestAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	const devices = 48
	for _, test := range accuracyTests {
		if test.to == 0 {
			test.from, test.to = 0.1, 3.2
		}
		t.Run(fmt.Sprintf("%s in [%g, %g], fast %v", test.expression, test.from, test.to, test.fast),
			func(t *testing.T) {
				t.Parallel()
				var in [32]float32
				for i := range in {
					in[i] = float32(test.from + (test.to-test.from)*(float64(i)+0.37)/32)
				}
				var worst float64
				strange := 0 // results that no number is near, where anything goes
				for seed := range uint64(devices) {
					k := accuracyKernel(t, test, sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Choices: -1}})
					for i, got := range runOn(t, k, in) {
						x := float64(in[i])
						exact := test.exact(x)
						limit := test.limit(x, exact)
						err := math.Abs(float64(got) - exact)
						if math.IsInf(limit, 1) {
							if !(err < 0.1*math.Abs(exact)) {
								strange++
							}
							continue
						}
						if !(err <= limit*(1+1e-9)) {
							t.Fatalf("device %d: %v at %v, want %v within %v", seed, got, x, exact, limit)
						}
						if err > 0 {
							worst = max(worst, err/limit)
						}
					}
				}
				if worst < test.least {
					t.Errorf("the worst device comes to %.2g of the limit, want %g", worst, test.least)
				}
				if math.IsInf(test.limit(1, 1), 1) && strange == 0 {
					t.Error("all devices are near where nothing is promised")
				}
			})
	}
}

// accuracyKernel is a kernel of one simdgroup that evaluates the expression.
func accuracyKernel(t *testing.T, test accuracyTest, s sim.Semantics) metalrun.Kernel {
	t.Helper()
	text := "#include <metal_stdlib>\nusing namespace metal;\n" +
		"kernel void open(device const float* in [[buffer(0)]], device float* out [[buffer(1)]], uint lane " +
		"[[thread_index_in_simdgroup]])\n" +
		"{ float x = in[lane]; out[lane] = " + test.expression + "; }\n"
	p, err := metalrun.Analyse(metalrun.SourceText("accuracy.metal", text),
		metalrun.CompileOptions{FastFunctions: test.fast})
	if err != nil {
		t.Fatal(err)
	}
	library, err := sim.New(s).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	k, err := library.Kernel("open")
	if err != nil {
		t.Fatal(err)
	}
	return k
}
