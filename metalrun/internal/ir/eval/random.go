package eval

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RandomOutputs is the number of words that each thread of a random kernel writes.
const RandomOutputs = 24

// RandomKernel is the source of a random but meaningful kernel, "random": loops
// end, indices are in range, divisors are not zero. Each thread reads the 64
// ints of buffer 1, and what it computes ends up in its RandomOutputs words of
// buffer 0.
func RandomKernel(seed uint64) string {
	p := &program{rng: rand.New(rand.NewPCG(seed, 1))}
	p.line("#include <metal_stdlib>")
	p.line("using namespace metal;")
	for _, d := range randomDeclarations {
		p.line("%s", d)
	}
	p.line("kernel void random(device uint *out [[buffer(0)]], device const int *in [[buffer(1)]], uint tid " +
		"[[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {")
	for _, d := range randomVariables {
		p.line("  %s", d)
	}
	p.statements(6 + p.rng.IntN(8))
	for i, value := range randomResults {
		p.line("  out[tid * %d + %d] = uint(%s);", RandomOutputs, i, value)
	}
	p.line("}")
	return p.b.String()
}

var randomDeclarations = []string{
	"constant int table[8] = {3, 1, -4, 1, 5, -9, 2, 6};",
	"struct Pair { int first; float second; };",
	"int early(int x, int y) { for (int i = 0; i < 5; i++) { if (x > y) return i - x; x += 3 + (y & 3); if (i == 3) " +
		"continue; y ^= i; } return x - y; }",
	"int bump(thread int &x, int by) { x += by; if (by < 0) return x; return x * 2; }",
	"void store(thread int *a, int i, int v) { if (i < 0) return; a[i & 7] = v; }",
	"float blend(thread const Pair &p, float t) { return p.second * t + float(p.first & 15); }",
	"Pair make(int a, float b) { Pair p; p.first = a; p.second = b; if (a > 9) p.first = 9; return p; }",
}

var randomVariables = []string{
	"int a = in[tid & 63], b = int(tid) - 7, c = 5;",
	"uint u = tid * 2654435761u;",
	"long l = long(a) * 3;",
	"float f = float(b) * 0.5f, g = 1.5f;",
	"half h = half(c);",
	"short s = short(a);",
	"uchar k = uchar(b);",
	"int arr[8] = {1, 2, 3};",
	"int4 v = int4(a, b, c, 7);",
	"float2 w = float2(f, g);",
	"Pair q = {2, 0.25f};",
}

var randomResults = [RandomOutputs]string{
	"a", "b", "c", "u", "uint(l)", "uint(ulong(l) >> 32)", floatBits("f"), floatBits("g"), floatBits("float(h)"),
	"s", "k",
	"arr[0]", "arr[3]", "arr[7]", "v.x", "v.y", "v.z", "v.w", floatBits("w.x"), floatBits("w.y"), "q.first",
	floatBits("q.second"),
	"arr[5]", "arr[a & 7]",
}

// program writes one kernel.
type program struct {
	rng   *rand.Rand
	b     strings.Builder
	depth int
	loops int // that enclose the statement, for break and continue
	names int
}

// floatBits is a float's bits, the same for every NaN.
func floatBits(x string) string { return "(isnan(" + x + ") ? 1u : as_type<uint>(" + x + "))" }

func (p *program) line(format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", p.depth))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

// pick draws one of the texts.
func (p *program) pick(list ...string) string { return list[p.rng.IntN(len(list))] }

func (p *program) name() string {
	p.names++
	return fmt.Sprintf("n%d", p.names)
}

func (p *program) statements(n int) {
	p.depth++
	for range n {
		p.statement()
	}
	p.depth--
}

func (p *program) statement() {
	kind := p.rng.IntN(20)
	if p.depth > 3 && kind >= 12 {
		kind %= 12
	}
	switch kind {
	case 0, 1:
		p.line("%s %s %s;", p.integerVariable(), p.pick("=", "+=", "-=", "*=", "&=", "|=", "^="), p.integer(3))
	case 2:
		p.line("%s %s %s;", p.pick("f", "g", "w.x", "w.y", "q.second"), p.pick("=", "+=", "-=", "*="), p.floating(3))
	case 3:
		p.line("arr[%s & 7] %s %s;", p.integer(2), p.pick("=", "+=", "^="), p.integer(2))
	case 4:
		p.line("v%s = %s;", p.pick("[u & 3]", ".x", ".w", "[1]"), p.integer(2))
	case 5:
		p.line("%s;", p.pick("v.xy = v.wz", "v = v.yzwx + arr[a & 7]", "v += int4(a, b, c, 1)", "w = w.yx * f",
			"v.zyx = v.xyz", "w += float2(v.xy)", "v = select(v, v.wzyx, v > b)"))
	case 6:
		p.line("%s;", p.pick("a++", "--b", "c = b--", "u <<= a", "s += k", "k = uchar(k * 3 + s)", "l = l * 7 + a",
			"l ^= long(u) << 13", "h = h * 0.5h + half(a & 15)", "s = short(u)", "h = half(f)", "l >>= b"))
	case 7:
		p.line("%s;", p.pick("a = bump(b, c)", "store(arr, a, b)", "c = bump(arr[u & 7], b)", "q = make(a, g)",
			"f = blend(q, f)", "b = early(a & 31, c & 15)", "q.first = bump(q.first, 1)", "c = bump(a, bump(b, -1))"))
	case 8:
		n := p.name()
		p.line("const int %s = %s; a = %s - a; b = %s;", n, p.integer(3), n, n)
	case 9:
		p.line("if (%s) %s = %s;", p.condition(2), p.integerVariable(), p.integer(2))
	case 10:
		if p.loops > 0 {
			p.line("if (%s) %s;", p.condition(2), p.pick("break", "continue"))
		}
	case 11:
		if p.depth == 1 { // where all lanes are active, in any order of execution
			p.line("%s = %s;", p.pick("a", "b", "c"), p.pick("simd_sum(c)", "simd_max(a)",
				"simd_shuffle_xor(b, ushort(1))", "simd_prefix_exclusive_sum(a)", "popcount(simd_and(a))"))
		}
	case 12, 13:
		p.line("if (%s) {", p.condition(3))
		p.statements(1 + p.rng.IntN(3))
		if p.rng.IntN(2) == 0 {
			p.line("} else {")
			p.statements(1 + p.rng.IntN(3))
		}
		p.line("}")
	case 14, 15, 16:
		p.loop()
	case 17:
		p.switchStatement()
	case 18:
		n := p.name()
		p.line("thread int *%s = %s; *%s += %s; b = *%s;", n, p.pick("&arr[a & 7]", "arr + (u & 3)", "&arr[2]"), n,
			p.integer(2), n)
	case 19:
		n := p.name()
		p.line("{ int %s[3] = {a, %s}; %s[u %% 3] += b; c = %s[a & 1] + %s[2]; }", n, p.integer(2), n, n, n)
	}
}

func (p *program) loop() {
	n := p.name()
	count := 1 + p.rng.IntN(5)
	p.loops++
	switch p.rng.IntN(3) {
	case 0:
		p.line("for (%s %s = 0; %s < %d; %s++) {", p.pick("int", "uint"), n, n, count, n)
		p.line("  arr[%s] += a; u += uint(%s);", n, n)
		p.statements(1 + p.rng.IntN(3))
		p.line("}")
	case 1:
		p.line("int %s = a & 3;", n)
		p.line("while (%s++ < %d) {", n, count)
		p.statements(1 + p.rng.IntN(3))
		p.line("}")
	case 2:
		p.line("int %s = 0;", n)
		p.line("do {")
		p.statements(1 + p.rng.IntN(3))
		p.line("} while (++%s < %d && %s);", n, count, p.condition(2))
	}
	p.loops--
}

func (p *program) switchStatement() {
	loops := p.loops
	p.line("switch (%s & 3) {", p.integer(2))
	for i, label := range []string{"case 0:", "case 2:", p.pick("default:", "case 1: case 3:")} {
		p.line("%s {", label)
		p.loops = 0
		p.statements(1 + p.rng.IntN(2))
		p.line("}")
		if i == 2 || p.rng.IntN(3) > 0 {
			p.line("  break;")
		}
	}
	p.loops = loops
	p.line("}")
}

func (p *program) integerVariable() string {
	return p.pick("a", "b", "c", "a", "b", "u", "v.y", "v.z", "q.first", "arr[1]", "s")
}

// integer is an expression of type int.
func (p *program) integer(depth int) string {
	if depth == 0 {
		return p.pick("a", "b", "c", "int(u)", "int(tid)", "v.x", "int(s)", "int(k)", "q.first", "arr[4]",
			fmt.Sprint(p.rng.IntN(100)-50), "int(lane)")
	}
	x, y := p.integer(depth-1), p.integer(depth-1)
	switch p.rng.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x, p.pick("+", "-", "*", "&", "|", "^"), y)
	case 3:
		return fmt.Sprintf("(%s %s ((%s & 7) + 1))", x, p.pick("/", "%"), y)
	case 4:
		return fmt.Sprintf("(%s %s (%s & 31))", x, p.pick("<<", ">>"), y)
	case 5:
		return fmt.Sprintf("int(%s)", p.condition(depth-1))
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", p.condition(depth-1), x, y)
	case 7:
		return fmt.Sprintf("int(%s)", p.floating(depth-1))
	case 8:
		return fmt.Sprintf("%s[%s & %s]", p.pick("arr", "table"), x, p.pick("7", "3"))
	case 9:
		return fmt.Sprintf("in[%s & 63]", x)
	case 10:
		return fmt.Sprintf("int(%s(%s))", p.pick("char", "uchar", "short", "ushort", "uint", "long", "bool"), x)
	case 11:
		return fmt.Sprintf("%s(%s, %s)", p.pick("min", "max", "early", "addsat", "mulhi"), x, y)
	case 12:
		return fmt.Sprintf("int(uint(%s) / (uint(%s) | 1u))", x, y)
	}
	return fmt.Sprintf("%s(%s)", p.pick("-", "~", "abs", "popcount", "clz"), x)
}

func (p *program) floating(depth int) string {
	if depth == 0 {
		return p.pick("f", "g", "w.x", "w.y", "q.second", "float(h)", "0.5f", "-3.25f", "float(a)", "float(u)")
	}
	x, y := p.floating(depth-1), p.floating(depth-1)
	switch p.rng.IntN(8) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x, p.pick("+", "-", "*"), y)
	case 3:
		return fmt.Sprintf("float(%s)", p.integer(depth-1))
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", p.condition(depth-1), x, y)
	case 5:
		return fmt.Sprintf("%s(%s, %s)", p.pick("min", "max", "fmod"), x, p.pick("2.5f", "100.0f"))
	case 6:
		return fmt.Sprintf("float(half(%s))", x)
	}
	return fmt.Sprintf("%s(%s)", p.pick("-", "abs", "floor", "sqrt", "rint"), x)
}

func (p *program) condition(depth int) string {
	if depth == 0 {
		return p.pick("a > b", "c == 3", "f < g", "(u & 1) != 0", "true", "b >= 0", "lane < 9")
	}
	switch p.rng.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s && %s)", p.condition(depth-1), p.condition(depth-1))
	case 1:
		return fmt.Sprintf("(%s || %s)", p.condition(depth-1), p.condition(depth-1))
	case 2:
		return fmt.Sprintf("!(%s)", p.condition(depth-1))
	case 3:
		return fmt.Sprintf("(%s %s %s)", p.floating(depth-1), p.pick("<", "<=", ">", "=="), p.floating(depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", p.integer(depth-1), p.pick("<", "<=", ">", ">=", "==", "!="), p.integer(depth-1))
}
