package metalrun

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
)

// Feature is a part of the language that every compiler of its version accepts and that not every device has. Its name
// is that of a member.
type Feature string

const (
	Bfloat        Feature = "bfloat"
	QuadShuffles  Feature = "quad_shuffle"
	QuadSums      Feature = "quad_sum"
	SimdShuffles  Feature = "simd_shuffle" // broadcasts, ballots and votes, too
	SimdSums      Feature = "simd_sum"     // reductions and prefix forms of any operation
	SimdMatrices  Feature = "simdgroup_matrix"
	FloatAtomics  Feature = "atomic_float"
	LongAtomics   Feature = "atomic_ulong"
	featureKernel         = "feature" // entry point of the programs below
)

// featureTest is a kernel that does nothing but use a feature, in one simdgroup: x holds the
// numbers from 1 to 64, and y begins as zeros.
type featureTest struct {
	feature Feature
	out     string             // type of y's elements
	body    string             // with i, the thread's index
	want    func(i int) uint32 // word i of y
}

func number(f func(i int) float32) func(int) uint32 {
	return func(i int) uint32 { return math.Float32bits(f(i)) }
}

var featureTests = []featureTest{
	{Bfloat, "float", "y[i] = float(bfloat(x[i]) * bfloat(3.0f));",
		lanes(func(i int) float32 { return 3 * float32(i+1) })},
	{QuadShuffles, "float", "y[i] = quad_shuffle_xor(x[i], 1);",
		lanes(func(i int) float32 { return float32(i^1) + 1 })},
	{QuadSums, "float", "y[i] = quad_sum(x[i]);", lanes(func(i int) float32 { return float32(16*(i/4) + 10) })},
	{SimdShuffles, "float", "y[i] = simd_shuffle_xor(x[i], 5);",
		lanes(func(i int) float32 { return float32(i^5) + 1 })},
	{SimdSums, "float", "y[i] = simd_sum(x[i]);", lanes(func(int) float32 { return 528 })},
	{SimdMatrices, "float",
		"simdgroup_float8x8 a, b, c, unit(1.0f); simdgroup_load(a, x, 8); simdgroup_multiply(b, a, a); " +
			"simdgroup_multiply(c, b, unit); simdgroup_store(c, y, 8);", // a number stands for its diagonal
		number(square)},
	{FloatAtomics, "atomic_float", "atomic_fetch_add_explicit(y, x[i], memory_order_relaxed);",
		number(func(i int) float32 {
			if i > 0 {
				return 0
			}
			return 528
		})},
	{LongAtomics, "atomic_ulong", "atomic_max_explicit(y, ulong(x[i]), memory_order_relaxed);", func(i int) uint32 {
		if i > 0 {
			return 0
		}
		return 32
	}},
}

// lanes is what 32 threads write, a number each.
func lanes(f func(i int) float32) func(int) uint32 {
	return number(func(i int) float32 {
		if i < 32 {
			return f(i)
		}
		return 0
	})
}

// square is an element of the square of the matrix of the numbers from 1 to 64.
func square(i int) float32 {
	sum := 0
	for k := range 8 {
		sum += (i/8*8 + k + 1) * (8*k + i%8 + 1)
	}
	return float32(sum)
}

// Features lists all features.
func Features() []Feature {
	list := make([]Feature, len(featureTests))
	for i, t := range featureTests {
		list[i] = t.feature
	}
	return list
}

func (f Feature) test() featureTest {
	return featureTests[slices.IndexFunc(featureTests, func(t featureTest) bool { return t.feature == f })]
}

// Program returns a program with one kernel, which uses the feature.
func (f Feature) Program() (*Program, error) {
	t := f.test()
	text := "#include <metal_stdlib>\nusing namespace metal;\n" +
		"kernel void " + featureKernel + "(device const float *x [[buffer(0)]], device " + t.out +
		" *y [[buffer(1)]], uint i [[thread_index_in_threadgroup]]) { " + t.body + " }\n"
	return Analyse(SourceText(string(f)+".metal", text), CompileOptions{})
}

// Try launches the kernel of [Feature.Program]. The error wraps ErrUnsupported if the device refuses the kernel;
// another error says that the result is wrong.
func (f Feature) Try(r Runner) error {
	p, err := f.Program()
	if err != nil {
		return err
	}
	l, err := r.Compile(p)
	if err != nil {
		return err
	}
	defer l.Release()
	k, err := l.Kernel(featureKernel)
	if err != nil {
		return err
	}
	var in []byte
	for i := range 64 {
		in = binary.LittleEndian.AppendUint32(in, math.Float32bits(float32(i+1)))
	}
	out := make([]byte, len(in))
	one := Size{1, 1, 1}
	if _, err := k.Run(Dispatch{
		Bindings:     []Binding{{Index: 0, Data: in, Length: len(in)}, {Index: 1, Data: out, Length: len(out)}},
		Threadgroups: one, ThreadsPerThreadgroup: Size{32, 1, 1},
	}); err != nil {
		return err
	}
	for i := range 64 {
		if got, want := binary.LittleEndian.Uint32(out[4*i:]), f.test().want(i); got != want {
			return fmt.Errorf("word %d of a trial of %s is %#x, want %#x", i, f, got, want)
		}
	}
	return nil
}

// features are those that a kernel uses, in the order of [Features].
func features(k *ir.Kernel) []Feature {
	used := map[Feature]bool{}
	for _, r := range k.Regs {
		if r.Type == ir.BF16 {
			used[Bfloat] = true
		}
	}
	for in := range ir.Instrs(k.Body...) {
		switch in.Op {
		case ir.Simd:
			used[communication(in)] = true
		case ir.MatMul, ir.Converge:
			used[SimdMatrices] = true
		case ir.Atomic:
			switch in.From {
			case ir.R32:
				used[FloatAtomics] = true
			case ir.U64:
				used[LongAtomics] = true
			}
		}
	}
	return slices.DeleteFunc(Features(), func(f Feature) bool { return !used[f] })
}

// communication is the feature that a function of simdgroups or quads belongs to.
func communication(in *ir.Instr) Feature {
	quad := strings.HasPrefix(in.Fn, "quad_")
	name := in.Simd().Name
	reduces := strings.HasPrefix(name, "prefix_") ||
		slices.Contains([]string{"sum", "product", "min", "max", "and", "or", "xor"}, name)
	switch {
	case quad && reduces:
		return QuadSums
	case quad:
		return QuadShuffles
	case reduces:
		return SimdSums
	}
	return SimdShuffles
}
