package metalrun_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"metalconform/metalrun"
)

// The recurrence K1: 32 heads, 256 tokens, 128×128 states.
const recurrenceHeads, recurrenceTokens, recurrenceDim = 32, 256, 128

type recurrence struct {
	q, k, v  []float32 // [T, H, D]
	g, beta  []float32 // [T, H]
	state    []float32 // [H, D, D]
	out, end []float32
}

func newRecurrence() *recurrence {
	const H, T, D = recurrenceHeads, recurrenceTokens, recurrenceDim
	r := rand.New(rand.NewPCG(1, 1))
	signed := func(n int, scale float32) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = scale * (2*r.Float32() - 1)
		}
		return x
	}
	d := &recurrence{q: signed(T*H*D, 0.125), k: signed(T*H*D, 0.125), v: signed(T*H*D, 1), g: signed(T*H, 0.125), beta: signed(T*H, 1),
		state: signed(H*D*D, 1), out: make([]float32, T*H*D), end: make([]float32, H*D*D)}
	for i := range d.g {
		d.g[i], d.beta[i] = abs(d.g[i]), abs(d.beta[i])
	}
	return d
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// The product K2: 2048×2048 4-bit weights in groups of 64.
const productOut, productIn = 2048, 2048

type product4bit struct {
	w           []uint32  // [out, in/8]
	scale, bias []float32 // [out, in/64], exact in bf16
	x, out      []float32
}

func newProduct4bit() *product4bit {
	r := rand.New(rand.NewPCG(2, 2))
	d := &product4bit{w: make([]uint32, productOut*productIn/8), scale: make([]float32, productOut*productIn/64),
		bias: make([]float32, productOut*productIn/64), x: make([]float32, productIn), out: make([]float32, productOut)}
	for i := range d.w {
		d.w[i] = r.Uint32()
	}
	bf16 := func(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ 0xffff) }
	for i := range d.scale {
		d.scale[i], d.bias[i] = bf16(r.Float32()*0.125), bf16(2*r.Float32()-1)
	}
	for i := range d.x {
		d.x[i] = 2*r.Float32() - 1
	}
	return d
}

func bytesOf[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(x[0])))
}

func bind(index int, data []byte) metalrun.Binding {
	return metalrun.Binding{Index: index, Data: data, Length: len(data)}
}

func inline(index int, words ...uint32) metalrun.Binding {
	b := bind(index, bytesOf(words))
	b.Inline = true
	return b
}

// shaderKernel compiles one of the repository's kernels for the simulator.
func shaderKernel(tb testing.TB, file, name string) metalrun.Kernel {
	tb.Helper()
	text, err := os.ReadFile("../shaders/" + file)
	if err != nil {
		tb.Fatal(err)
	}
	lib, err := metalrun.NewSimulator(metalrun.Semantics{}).Compile(metalrun.SourceText(file, string(text)), metalrun.CompileOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	k, err := lib.Kernel(name)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func (d *recurrence) dispatch() metalrun.Dispatch {
	const H, T, D = recurrenceHeads, recurrenceTokens, recurrenceDim
	return metalrun.Dispatch{
		Bindings: []metalrun.Binding{bind(0, bytesOf(d.q)), bind(1, bytesOf(d.k)), bind(2, bytesOf(d.v)), bind(3, bytesOf(d.g)),
			bind(4, bytesOf(d.beta)), bind(5, bytesOf(d.state)), bind(6, bytesOf(d.out)), bind(7, bytesOf(d.end)), inline(8, D, D, H, H, T, 1, 0, 0)},
		ThreadgroupMemory: []int{4 * D * 4}, Threadgroups: metalrun.Size{X: H, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: D, Y: 1, Z: 1},
	}
}

func (d *product4bit) dispatch() metalrun.Dispatch {
	half := func(x []float32) []uint16 {
		b := make([]uint16, len(x))
		for i := range x {
			b[i] = uint16(math.Float32bits(x[i]) >> 16)
		}
		return b
	}
	return metalrun.Dispatch{
		Bindings: []metalrun.Binding{bind(0, bytesOf(d.w)), bind(1, bytesOf(half(d.scale))), bind(2, bytesOf(half(d.bias))), bind(3, bytesOf(d.x)),
			bind(4, bytesOf(d.out)), inline(5, productOut), inline(6, productIn), inline(7, 64)},
		Threadgroups: metalrun.Size{X: productOut / 8, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 256, Y: 1, Z: 1},
	}
}

func run(tb testing.TB, k metalrun.Kernel, d metalrun.Dispatch) {
	tb.Helper()
	if _, err := k.Run(d); err != nil {
		tb.Fatal(err)
	}
}

// TestYardstick proves that the yardsticks compute what the kernels do, bit for bit.
func TestYardstick(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the two benchmark kernels whole")
	}
	d, want := newRecurrence(), newRecurrence()
	run(t, shaderKernel(t, "delta_net.metal", "gated_delta_net_f32"), d.dispatch())
	yardstickK1(want)
	same(t, "K1", d.out, want.out)
	p, ref := newProduct4bit(), newProduct4bit()
	run(t, shaderKernel(t, "quant.metal", "dequant_matvec_4bit_v3"), p.dispatch())
	yardstickK2(ref)
	same(t, "K2", p.out, ref.out)
}

func same(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: out[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
}

func perElement(b *testing.B, elements int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(elements), "ns/elem")
}

// BenchmarkK1 compares the recurrence from MSL source with the yardstick. Run
// with -cpu 1: the yardstick has one thread.
func BenchmarkK1(b *testing.B) {
	const elements = recurrenceHeads * recurrenceTokens * recurrenceDim * recurrenceDim
	d := newRecurrence()
	b.Run("source", func(b *testing.B) {
		k := shaderKernel(b, "delta_net.metal", "gated_delta_net_f32")
		for b.Loop() {
			run(b, k, d.dispatch())
		}
		perElement(b, elements)
	})
	b.Run("yardstick", func(b *testing.B) {
		for b.Loop() {
			yardstickK1(d)
		}
		perElement(b, elements)
	})
}

// BenchmarkK2 compares the 4-bit product likewise, per multiply-add.
func BenchmarkK2(b *testing.B) {
	d := newProduct4bit()
	b.Run("source", func(b *testing.B) {
		k, launch := shaderKernel(b, "quant.metal", "dequant_matvec_4bit_v3"), d.dispatch()
		for b.Loop() {
			run(b, k, launch)
		}
		perElement(b, productOut*productIn)
	})
	b.Run("yardstick", func(b *testing.B) {
		for b.Loop() {
			yardstickK2(d)
		}
		perElement(b, productOut*productIn)
	})
}
