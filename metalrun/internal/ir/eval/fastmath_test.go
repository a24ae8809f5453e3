package eval_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/ir/fastmath"
)

// TestRewritesAgree rewrites random programs by lot and runs what comes out by definition
// and by the executor. Without fast-math flags nothing changes but the form.
func TestRewritesAgree(t *testing.T) {
	n := uint64(30)
	if testing.Short() {
		n = 8
	}
	for seed := range n {
		rewritesAgree(t, seed)
	}
}

// FuzzRewrites is TestRewritesAgree and TestRewritesAreExact for any seed.
func FuzzRewrites(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		rewritesAgree(t, seed)
		rewritesExact(t, seed)
	})
}

func rewritesAgree(t *testing.T, seed uint64) {
	t.Helper()
	text := eval.RandomKernel(seed)
	k := lowerKernel(t, text)
	v := ir.Values(k)
	fastmath.Rewrite(v, fastmath.Rules, drawn(seed))
	same := ir.Tidy(v)
	if i := firstDifference(runEval(t, k, seed), runEval(t, same, seed)); i >= 0 {
		t.Fatalf("seed %d: word %d of thread %d differs without a licence\n%s\n%s\n%s", seed, i%eval.RandomOutputs,
			i/eval.RandomOutputs, text, k, same)
	}
	k = rewrite(t, licensed(k), fastmath.Rules, drawn(seed))
	want, got := runEval(t, k, seed), runSimt(t, k, seed)
	if i := firstDifference(want, got); i >= 0 {
		t.Fatalf("seed %d: word %d of thread %d: the executor gives %#x, the definition %#x\n%s\n%s", seed,
			i%eval.RandomOutputs, i/eval.RandomOutputs,
			word(got, i), word(want, i), text, k)
	}
}

// drawn takes rules by lot.
func drawn(seed uint64) fastmath.Chooser {
	rng := rand.New(rand.NewPCG(seed, 3))
	return fastmath.Chooser{Takes: func(*fastmath.Rule, *ir.Instr) (uint64, bool) {
		return rng.Uint64(), rng.IntN(2) == 0
	}}
}

// everywhere takes rules wherever they apply, in ways by lot, and counts.
func everywhere(seed uint64, taken *int) fastmath.Chooser {
	rng := rand.New(rand.NewPCG(seed, 4))
	return fastmath.Chooser{Takes: func(*fastmath.Rule, *ir.Instr) (uint64, bool) {
		*taken++
		return rng.Uint64(), true
	}}
}

func rewrite(t *testing.T, k *ir.Kernel, rules []*fastmath.Rule, c fastmath.Chooser) *ir.Kernel {
	t.Helper()
	v := ir.Values(k)
	for _, r := range rules {
		fastmath.Rewrite(v, []*fastmath.Rule{r}, c)
		if err := ir.Verify(v); err != nil {
			t.Fatalf("after %s: %v\n%s\n%s", r.Name, err, k, v)
		}
	}
	out := ir.Tidy(ir.Contract(v, nil))
	if err := ir.Verify(out); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// licensed gives every floating operation all fast-math flags, but for the tests by which the
// outputs of random kernels hide the bits of NaN.
func licensed(k *ir.Kernel) *ir.Kernel {
	k = ir.Values(k)
	for in := range ir.Instrs(k.Body...) {
		floats := false
		for _, list := range [][]ir.Reg{in.Dst, in.Args} {
			for _, r := range list {
				floats = floats || k.Regs[r].Type.IsFloat()
			}
		}
		if in.Op.Info().FastMath && floats && in.Fn != "isnan" {
			in.Allow = ir.Reassociate | ir.NoNaNs | ir.NoInfs | ir.NoSignedZeros | ir.Reciprocal | ir.ContractFast |
				ir.Approximate
		}
	}
	return ir.Tidy(k)
}

// TestRewritesAreExact applies each rule wherever it applies to random programs whose
// arithmetic is exact in any order: they give the same values.
func TestRewritesAreExact(t *testing.T) {
	n := uint64(25)
	if testing.Short() {
		n = 8
	}
	taken := map[string]int{}
	for seed := range n {
		for name, count := range rewritesExact(t, seed) {
			taken[name] += count
		}
	}
	for _, r := range fastmath.Rules {
		if taken[r.Name] == 0 {
			t.Errorf("%s applies nowhere", r.Name)
		}
	}
}

func rewritesExact(t *testing.T, seed uint64) map[string]int {
	t.Helper()
	text := exactProgram(seed)
	k := lowerKernel(t, text)
	want := exactResults(t, k, seed)
	taken := map[string]int{}
	for i := range len(fastmath.Rules) + 1 {
		rules := fastmath.Rules
		if i < len(rules) {
			rules = rules[i : i+1]
		}
		count := 0
		out := rewrite(t, k, rules, everywhere(seed, &count))
		taken[rules[0].Name] += count
		for j, x := range exactResults(t, out, seed) {
			if x != want[j] {
				t.Fatalf("seed %d: %s makes result %d %v instead of %v\n%s\n%s\n%s", seed, rules[0].Name, j, x, want[j],
					text, k, out)
			}
		}
	}
	return taken
}

const exactOutputs = 6

func exactResults(t *testing.T, k *ir.Kernel, seed uint64) []float32 {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	in, out := make([]byte, 64), make([]byte, 4*exactOutputs*3)
	for i := range 16 {
		binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(float32(rng.IntN(7)-3)))
	}
	if err := eval.Run(k, eval.Launch{Threads: [3]int{3, 1, 1}, ThreadsPerThreadgroup: [3]int{3, 1, 1},
		Buffers: map[int][]byte{0: out, 1: in}}); err != nil {
		t.Fatal(err)
	}
	var list []float32
	for i := range exactOutputs * 3 {
		list = append(list, math.Float32frombits(word(out, i)))
	}
	return list
}

// exactProgram is the source of a random kernel whose floats are multiples of 2⁻ᶠ below
// 2²⁴⁻ᶠ, also if sums and products are taken in another order or distributed.
func exactProgram(seed uint64) string {
	p := &exactWriter{rng: rand.New(rand.NewPCG(seed, 6)), size: map[string]bits{}}
	p.line("#include <metal_stdlib>\nusing namespace metal;\n#pragma METAL fp math_mode(fast)")
	p.line("kernel void exact(device float *out [[buffer(0)]], device const float *in [[buffer(1)]], uint tid " +
		"[[thread_position_in_grid]]) {")
	for i := range exactOutputs {
		p.line("float v%d = in[tid + %d];", i, i)
		p.size[fmt.Sprint("v", i)] = bits{4, 0}
	}
	for range 10 {
		p.statement()
	}
	for i := range exactOutputs {
		p.line("out[tid * %d + %d] = v%d;", exactOutputs, i, i)
	}
	p.line("}")
	return p.text.String()
}

// bits says that a value is a multiple of 2^-fraction below 2^whole.
type bits struct{ whole, fraction int }

func (b bits) fit() bool { return b.whole+b.fraction <= 22 }

type exactWriter struct {
	rng  *rand.Rand
	text strings.Builder
	size map[string]bits // of variables
}

func (p *exactWriter) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

func (p *exactWriter) variable() string { return fmt.Sprint("v", p.rng.IntN(exactOutputs)) }

func (p *exactWriter) statement() {
	v := p.variable()
	x, size := p.expression(3)
	switch old := p.size[v]; p.rng.IntN(8) {
	case 0:
		p.line("if (%s) %s = %s;", p.condition(), v, x)
		size = bits{max(size.whole, old.whole), max(size.fraction, old.fraction)}
	case 1:
		x, size = p.expression(1)
		n := p.rng.IntN(6)
		size = bits{max(size.whole+3, old.whole) + 1, max(size.fraction, old.fraction)}
		if !size.fit() {
			return
		}
		p.line("{ float s = %s; for (int i = 0; i < int(tid) + %d; i++) { s += %s; %s } %s = s; }", v, n, x,
			[]string{"", "if (i == 3) break;", "if (i & 1) continue; s -= 1;"}[p.rng.IntN(3)], v)
		size.whole++
	case 2:
		p.line("%s = clamp(rint(%s), -4.0f, 4.0f);", v, x)
		size = bits{3, 0}
	case 3: // a compensated sum
		y, other := p.expression(1)
		size = bits{max(size.whole, other.whole) + 2, max(size.fraction, other.fraction)}
		if !size.fit() {
			return
		}
		p.line("{ float a = %s, b = %s, s = a + b, c = s - a; %s = (a - (s - c)) + (b - c) + s; }", x, y, v)
	default:
		p.line("%s = %s;", v, x)
	}
	p.size[v] = size
}

func (p *exactWriter) condition() string {
	x, _ := p.expression(1)
	y, _ := p.expression(1)
	return fmt.Sprintf([]string{"%s < %s", "!(%s < %s)", "isnan(%s) || %s > 0",
		"%s <= %s && in[3] < INFINITY"}[p.rng.IntN(4)], x, y)
}

// expression is one, and the size of its value, whatever is done to it.
func (p *exactWriter) expression(depth int) (string, bits) {
	if depth == 0 {
		if p.rng.IntN(3) == 0 {
			return []string{"0.0f", "1.0f", "2.0f", "-3.0f"}[p.rng.IntN(4)], bits{2, 0}
		}
		v := p.variable()
		return v, p.size[v]
	}
	x, a := p.expression(depth - 1)
	y, b := p.expression(depth - 1)
	text, size := "", bits{max(a.whole, b.whole) + 1, max(a.fraction, b.fraction)}
	switch p.rng.IntN(13) {
	case 0, 1, 2, 3:
		text = fmt.Sprintf("(%s %s %s)", x, []string{"+", "-"}[p.rng.IntN(2)], y)
	case 4, 5:
		text, size = fmt.Sprintf("(%s * %s)", x, y), bits{a.whole + b.whole, a.fraction + b.fraction}
	case 6:
		n := 1 + p.rng.IntN(2)
		text, size = fmt.Sprintf("(%s / %d.0f)", x, 1<<n), bits{a.whole, a.fraction + n}
	case 7:
		c, d := p.expression(0)
		text, size = fmt.Sprintf("(%s * %s - %s * %s)", x, c, c, y),
			bits{size.whole + d.whole, size.fraction + d.fraction}
	case 8:
		text = fmt.Sprintf("%s(%s, %s)", []string{"min", "max"}[p.rng.IntN(2)], x, y)
	case 9:
		text = fmt.Sprintf("(%s < %s ? %s : %s)", x, y, x, y)
	case 10: // functions of small numbers and powers of two, which they make exactly
		v := p.variable()
		text = fmt.Sprintf([]string{"(%s + exp2(sign(%s)) / exp2(sign(%s)))", "(%s + %s - %s)",
			"(%s + 4.0f / sqrt(exp2(4 * sign(%s))) - 0 * %s)",
			"(%s + log2(exp2(sign(%s))) * exp2(2.0f) * exp2(-1.0f) - %s)"}[p.rng.IntN(4)], x, v, v)
		size = bits{max(a.whole, p.size[v].whole+2, 6) + 2, max(a.fraction, p.size[v].fraction, 2)}
	case 11: // quotients of quotients, by powers of two
		v := p.variable()
		text = fmt.Sprintf([]string{"(%s / exp2(sign(%s)) / exp2(sign(%s)))",
			"(%s * (exp2(sign(%s)) / exp2(sign(%s))))", "(%s / (exp2(sign(%s)) / exp2(sign(%s))))"}[p.rng.IntN(3)], x,
			v, p.variable())
		size = bits{a.whole + 2, a.fraction + 2}
	default:
		text, size = fmt.Sprintf("-(%s)", x), a
	}
	if !size.fit() {
		return x, a
	}
	return text, size
}
