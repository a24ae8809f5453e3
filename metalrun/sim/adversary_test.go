package sim_test

import (
	"bytes"
	"math"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// openPlaces are kernels of one simdgroup with one place each where Metal leaves
// the result open. in[lane] is 1, 2, … 32 tenths.
var openPlaces = []struct {
	name, body string
	choice     metalrun.Choice
	distinct   int                                            // results of 64 devices, at least
	allowed    func(lane int, x, reference, got float64) bool // nil: anything
}{
	{"exp", "out[lane] = exp(in[lane]);",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 7, Col: 13}, Subject: "accuracy of exp"},
		4,
		func(_ int, x, _, got float64) bool { return math.Abs(got-math.Exp(x)) <= 4*ulp(math.Exp(x)) }},
	{"contraction", "out[lane] = in[lane] * in[lane] + in[lane];",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 7, Col: 33},
			Subject: "fusing of product and sum"}, 2,
		func(_ int, x, _, got float64) bool {
			f := float32(x)
			return float32(got) == float32(f*f)+f || got == float64(float32(x*x+x))
		}},
	{"simd_sum", "out[lane] = simd_sum(in[lane]);",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 7, Col: 13},
			Subject: "order of a simdgroup sum"}, 3,
		func(_ int, _, _, got float64) bool { return math.Abs(got-52.8) < 31*ulp(52.8) }},
	{"float to int", "out[lane] = float(int(in[lane] * 1e10f));",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 7, Col: 32},
			Subject: "integer of a float out of its range"}, 3, nil},
	{"inactive lane", "if (lane < 16) out[lane] = simd_shuffle_xor(in[lane], 16);",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 7, Col: 28},
			Subject: "value of a lane that cannot be read"}, 3, nil},
	{"uninitialised", "threadgroup float shared[32]; out[lane] = shared[lane];",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 3, Col: 1},
			Subject: "contents of memory that nobody has written"}, 3, nil},
	{"matrix product",
		"simdgroup_float8x8 a, b, c(0.1f); simdgroup_load(a, in, 1); simdgroup_load(b, in + 1, 3); " +
			"simdgroup_multiply_accumulate(c, a, b, c); " +
			"threadgroup float d[64]; simdgroup_store(c, d, 8); simdgroup_barrier(mem_flags::mem_threadgroup); " +
			"out[lane] " +
			"= d[lane];",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 7, Col: 91},
			Subject: "order and fusing of a matrix product"}, 8,
		func(_ int, _, reference, got float64) bool { return math.Abs(got-reference) <= 16*ulp(reference) }},
	{"arrival",
		"threadgroup atomic_uint n; if (lane == 0) atomic_store_explicit(&n, 0, memory_order_relaxed); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup);\n" +
			"out[lane] = atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 8, Col: 13},
			Subject: "order in which threads come to an atomic operation"}, 8,
		func(_ int, _, _, got float64) bool { return got >= 0 && got < 32 && got == math.Floor(got) }},
	{"subnormals", "out[lane] = in[lane] * 1e-39f;",
		metalrun.Choice{Position: metalrun.Position{File: "open.metal", Line: 3, Col: 1},
			Subject: "subnormals as zero"}, 2,
		func(_ int, _, reference, got float64) bool { return got == reference || got == 0 }},
}

func ulp(x float64) float64 { return math.Ldexp(1, math.Ilogb(x)-23) }

func openKernel(t *testing.T, body string, s sim.Semantics) metalrun.Kernel {
	t.Helper()
	text := "#include <metal_stdlib>\nusing namespace metal;\n" +
		"kernel void open(device const float* in [[buffer(0)]],\n                 device float* out [[buffer(1)]],\n" +
		"                 uint lane [[thread_index_in_simdgroup]])\n{\n" + body + "\n}\n"
	return kernel(t, sim.New(s), metalrun.SourceText("open.metal", text), "open")
}

// kernel is an entry point of a source, ready to run.
func kernel(t *testing.T, r metalrun.Runner, src metalrun.Source, name string) metalrun.Kernel {
	t.Helper()
	return kernelOf(t, r, src, name, metalrun.CompileOptions{})
}

func kernelOf(t *testing.T, r metalrun.Runner, src metalrun.Source, name string,
	o metalrun.CompileOptions) metalrun.Kernel {
	t.Helper()
	p, err := metalrun.Analyse(src, o)
	if err != nil {
		t.Fatal(err)
	}
	library, err := r.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	k, err := library.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func runOpen(t *testing.T, k metalrun.Kernel) [32]float32 {
	t.Helper()
	var in [32]float32
	for i := range in {
		in[i] = float32(i+1) / 10
	}
	return runOn(t, k, in)
}

// runOn is what a kernel of one simdgroup makes of its input.
func runOn(t *testing.T, k metalrun.Kernel, in [32]float32) (out [32]float32) {
	t.Helper()
	_, err := k.Run(metalrun.Dispatch{
		Bindings:     []metalrun.Binding{bind(0, bytesOf(in[:])), bind(1, bytesOf(out[:]))},
		Threadgroups: metalrun.Size{X: 1, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAdversary lets many devices take each kind of choice: their results differ,
// stay within what Metal allows, and are those of the reference semantics as
// long as the choice is not taken.
func TestAdversary(t *testing.T) {
	for i, p := range openPlaces {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			reference := openKernel(t, p.body, sim.Semantics{})
			want := runOpen(t, reference)
			choices := reference.(metalrun.Chooser).Choices()
			at := -1
			for i, c := range choices {
				if c == p.choice {
					at = i
				}
			}
			if at < 0 {
				t.Fatalf("no choice %v among %v", p.choice, choices)
			}
			results := map[[32]float32]bool{}
			for seed := range uint64(64) {
				device := func(choices int) [32]float32 {
					return runOpen(t, openKernel(t, p.body,
						sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Choices: choices}}))
				}
				if at == 0 || at == 1 { // nothing else is open in these kernels
					if diff := cmp.Diff(bytesOf(want[:]), viewed(device(at))); diff != "" {
						t.Fatalf("seed %d: other results before the choice is taken", seed)
					}
				}
				got := device(-1)
				if again := device(-1); !bytes.Equal(viewed(got), viewed(again)) {
					t.Fatalf("seed %d: one device, two results", seed)
				}
				key := got
				for l, x := range got {
					if x != x {
						key[l] = 12345 // any NaN
					}
					if in := float64(float32(l+1) / 10); p.allowed != nil &&
						!p.allowed(l, in, float64(want[l]), float64(x)) {
						t.Fatalf("seed %d: lane %d is %v, which Metal does not allow", seed, l, x)
					}
				}
				results[key] = true
			}
			if len(results) < p.distinct {
				t.Errorf("%d different results of 64 devices, want %d", len(results), p.distinct)
			}
		})
	}
}

// TestPairOfAdversaries shows that the two devices of a pair leave nothing to luck: what
// one does the other does not, and a function goes to one side in one and to either
// side in the other, as far as it may.
func TestPairOfAdversaries(t *testing.T) {
	device := func(body string, seed uint64, number int) (metalrun.Kernel, [32]float32) {
		k := openKernel(t, body, sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Number: number, Choices: -1}})
		return k, runOpen(t, k)
	}
	for _, body := range []string{"out[lane] = in[lane] * 1e-39f;", "out[lane] = in[lane] * in[lane] + in[lane];"} {
		reference := runOpen(t, openKernel(t, body, sim.Semantics{}))
		for seed := range uint64(8) {
			first, one := device(body, seed, 1)
			second, two := device(body, seed, 2)
			if (one == reference) == (two == reference) {
				t.Errorf("%s: seed %d: both devices of a pair do it, or neither", body, seed)
			}
			if one != reference && !first.(metalrun.Chooser).Deviates() ||
				two != reference && !second.(metalrun.Chooser).Deviates() {
				t.Errorf("%s: seed %d: a device deviates and does not say so", body, seed)
			}
		}
	}
	for seed := range uint64(8) {
		var sides [2]int
		for i := range sides {
			_, results := device("out[lane] = exp(in[lane]);", seed, i+1)
			seen := map[bool]bool{}
			for l, x := range results {
				want := math.Exp(float64(float32(l+1) / 10))
				off := (float64(x) - want) / ulp(want)
				if l == 9 {
					continue // exp(1) stays as it is
				}
				seen[off > 0] = true
				if math.Abs(off) < 2 || math.Abs(off) > 4 {
					t.Errorf("seed %d: exp(%v) is %v ulp off", seed, float32(l+1)/10, off)
				}
			}
			sides[i] = len(seen)
		}
		if sides[0]+sides[1] != 3 {
			t.Errorf("seed %d: exp is displaced to %d and to %d sides, want one and two", seed, sides[0], sides[1])
		}
	}
	distinct := map[[32]float32]bool{}
	for number := range 8 {
		_, sums := device("out[lane] = simd_sum(lane % 2 ? in[lane] : -1e4f * in[lane]);", 3, number+1)
		distinct[sums] = true
	}
	if len(distinct) < 3 {
		t.Errorf("eight devices of one seed have %d sums", len(distinct))
	}
}

// TestNoChoice shows that a kernel which leaves no choice deviates on no device.
func TestNoChoice(t *testing.T) {
	k := openKernel(t, "out[lane] = in[lane ^ 1];",
		sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: 1, Choices: -1}})
	if c := k.(metalrun.Chooser); c.Deviates() || len(c.Choices()) > 0 {
		t.Errorf("a copy leaves choices: %v", c.Choices())
	}
}

// bytesOf views floats as bytes.
func bytesOf(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

func viewed(x [32]float32) []byte { return bytesOf(x[:]) }
