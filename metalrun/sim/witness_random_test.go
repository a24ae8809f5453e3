package sim_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/differential"
)

// grower grows programs from the grammar whose every operation is defined in Metal and in
// C++: types, conversions, overloads, templates and control flow. Divisors and shift
// counts are literals or masked, and floats are kept where they convert to integers.
type grower struct {
	*rand.Rand
	strings.Builder
	ints, floats []string // variables in scope
	vectors      map[string][]string
	names, fuel  int
	again        bool // in a function that may call itself
}

var (
	intTypes    = strings.Fields("bool char uchar short ushort int uint long ulong")
	vectorTypes = strings.Fields("char4 uchar3 short2 ushort4 int2 int3 int4 uint2 uint3 uint4 long2 float2 float3 " +
		"float4 half4")
)

func (g *grower) one(list ...string) string { return list[g.IntN(len(list))] }

func (g *grower) name(prefix string) string {
	g.names++
	return prefix + strconv.Itoa(g.names)
}

// integer is an expression of some integer type.
func (g *grower) integer(depth int) string {
	if depth <= 0 || g.IntN(8) == 0 {
		if g.IntN(3) == 0 {
			return g.one("0", "1", "7", "-3", "40u", "0x7f", "123456789", "0xffffffffu", "5L", "9ul", "true", "'a'",
				"-1", "sizeof(int)", "limit<3>::value")
		}
		return g.ints[g.IntN(len(g.ints))]
	}
	a := func() string { return g.integer(depth - 1) }
	switch g.IntN(20) {
	case 0, 1, 2, 3, 4:
		return fmt.Sprintf("(%s %s %s)", a(), g.one("+", "-", "*", "&", "|", "^"), a())
	case 5:
		return fmt.Sprintf("(%s %s %s)", a(), g.one("<", ">", "<=", ">=", "==", "!=", "&&", "||"), a())
	case 6:
		return fmt.Sprintf("(%s %s (%s & 7))", a(), g.one("<<", ">>"), a())
	case 7:
		return fmt.Sprintf("(%s %s %s)", a(), g.one("/", "%"), g.one("3", "7u", "11L", "250", "5ul"))
	case 8:
		return g.one("-", "~", "!", "+") + "(" + a() + ")"
	case 9:
		return fmt.Sprintf("(%s ? %s : %s)", a(), a(), a())
	case 10:
		t := g.one(intTypes...)
		return g.one(t+"("+a()+")", "("+t+")("+a()+")", "static_cast<"+t+">("+a()+")")
	case 11, 12:
		return "kind(" + g.one(a(), g.number(depth-1), g.vector(depth-1)) + ")"
	case 13:
		return fmt.Sprintf("sum<%s>(%s, %s)", g.one(intTypes[1:]...), a(), a())
	case 14:
		return fmt.Sprintf("twice(%s)", a())
	case 15:
		return fmt.Sprintf("%s(clamp(float(%s), -1000.0f, 1000.0f))", g.one("int", "short", "long"), g.number(depth-1))
	case 16:
		return fmt.Sprintf("Box<%s>(%s).%s", g.one("int", "uchar", "short", "ulong"), a(),
			g.one("value", "more()", "size"))
	case 17:
		t := g.one("int", "uint", "short", "long")
		return fmt.Sprintf("%s(%s(%s), %s(%s))", g.one("min", "max", "metal::min"), t, a(), t, a())
	case 18:
		return fmt.Sprintf("all_of(int(%s)%s)", a(), g.one("", ", "+a(), ", "+g.number(depth-1)+", "+a()))
	default:
		t := g.one("int", "uint", "uchar", "short")
		return fmt.Sprintf("%s4(%s, %s, %s, %s).%s", t, a(), a(), a(), a(), g.one("x", "w", "zy.y", "yzwx.z"))
	}
}

// number is an expression of type float or half, not far from zero.
func (g *grower) number(depth int) string {
	if depth <= 0 || g.IntN(8) == 0 {
		if g.IntN(3) == 0 {
			return g.one("0.5f", "1.25f", "-3.0f", "0.1f", "2.5h", "1e-3f", "7.0")
		}
		return g.floats[g.IntN(len(g.floats))]
	}
	a := func() string { return g.number(depth - 1) }
	bounded := func(x string) string { return "clamp(float(" + x + "), -100.0f, 100.0f)" }
	switch g.IntN(10) {
	case 0, 1, 2:
		return bounded(fmt.Sprintf("%s %s %s", a(), g.one("+", "-", "*"), a()))
	case 3:
		return bounded(fmt.Sprintf("%s / %s", a(), g.one("3.0f", "0.7f", "7")))
	case 4:
		return "half(" + bounded(a()) + ")"
	case 5:
		return bounded(g.integer(depth - 1))
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", g.integer(depth-1), a(), a())
	case 7:
		return fmt.Sprintf("%s(float(%s), float(%s))", g.one("min", "max", "fmin", "fmax"), a(), a())
	case 8:
		return fmt.Sprintf("%s(float(%s))", g.one("floor", "ceil", "trunc", "rint", "fabs", "abs", "sign"), a())
	}
	return "-(" + a() + ")"
}

// vector is an expression of some vector type.
func (g *grower) vector(depth int) string {
	t := g.one(vectorTypes...)
	elem, n := t[:len(t)-1], int(t[len(t)-1]-'0')
	scalar := func() string {
		if elem == "float" || elem == "half" {
			return elem + "(" + g.number(depth-1) + ")"
		}
		return elem + "(" + g.integer(depth-1) + ")"
	}
	if vars := g.vectors[t]; len(vars) > 0 && g.IntN(3) == 0 {
		return vars[g.IntN(len(vars))]
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = scalar()
	}
	made := t + "(" + strings.Join(parts, ", ") + ")"
	switch {
	case depth <= 0 || g.IntN(4) == 0:
		return t + "(" + scalar() + ")"
	case elem != "half" && elem != "float" && g.IntN(2) == 0:
		return fmt.Sprintf("(%s %s %s)", made, g.one("+", "-", "*", "&", "|", "^"), g.one(scalar(), t+"("+scalar()+")"))
	}
	return made
}

// statement adds a statement.
func (g *grower) statement(indent string, depth int) {
	if g.fuel--; g.fuel < 0 {
		return
	}
	line := func(format string, args ...any) { fmt.Fprintf(g, indent+format+"\n", args...) }
	block := func(f func()) {
		ints, floats := slices.Clone(g.ints), slices.Clone(g.floats)
		f()
		g.ints, g.floats = ints, floats
	}
	body := func() {
		for range 1 + g.IntN(3) {
			g.statement(indent+"    ", depth-1)
		}
	}
	kind := g.IntN(12)
	switch {
	case g.again && g.IntN(3) == 0:
		kind = 12 + g.IntN(3)
	case depth <= 0:
		kind = g.IntN(7)
	}
	switch kind {
	case 0, 1:
		n := g.name("n")
		line("%s %s = %s;", g.one(intTypes...), n, g.integer(3))
		g.ints = append(g.ints, n)
	case 2:
		n := g.name("x")
		line("%s %s = clamp(float(%s), -100.0f, 100.0f);", g.one("float", "half", "auto"), n, g.number(3))
		g.floats = append(g.floats, n)
	case 3:
		line("%s %s %s;", g.one("a", "b", "c"), g.one("=", "+=", "-=", "*=", "^=", "|=", "&="), g.integer(3))
	case 4:
		line("%s = clamp(float(%s), -100.0f, 100.0f);", g.one("x", "y"), g.number(3))
	case 5:
		line("bump(%s, %s);", g.one("a", "b"), g.integer(2))
	case 6:
		n := g.name("s")
		line("Cell %s = {%s(%s), uchar(%s), short(%s)};", n, "int", g.integer(2), g.integer(2), g.integer(2))
		line("a ^= %s.first + %s.total() + %s(sizeof(%s));", n, n, "int", n)
		g.ints = append(g.ints, n+".second")
	case 7:
		line("if (%s) {", g.integer(3))
		block(body)
		if g.IntN(2) == 0 {
			line("} else {")
			block(body)
		}
		line("}")
	case 8:
		n := g.name("i")
		line("for (%s %s = 0; %s < %d; %s++) {", g.one("int", "uint", "short", "uchar"), n, n, 2+g.IntN(3), n)
		block(func() {
			g.ints = append(g.ints, n+" + 0") // which nothing assigns to
			body()
			if g.IntN(3) == 0 {
				line("    if (%s) %s;", g.integer(2), g.one("break", "continue"))
			}
		})
		line("}")
	case 9:
		line("switch (int(%s) & 3) {", g.integer(2))
		for k := range 3 {
			line("case %d: {", k)
			block(body)
			line("}%s", g.one(" break;", ""))
		}
		line("default: b += %d;", g.IntN(9))
		line("}")
	case 10:
		n := g.name("t")
		line("int %s[4] = {int(%s), int(%s)};", n, g.integer(2), g.integer(2))
		line("%s[(%s) & 3] += %s;", n, g.integer(2), g.integer(2))
		line("for (int e : %s) c = c * 3 + e;", n)
	case 11:
		line("{")
		block(body)
		line("}")
	case 12:
		line("c += again%d(level - 1, %s, %s, x, y, c);", g.IntN(2), g.one("a", "b"), g.integer(2))
	case 13:
		line("a ^= again%d(level - 1, b, %s, x, y, c) + again%d(level - 2, b, a, x, y, %s);", g.IntN(2), g.integer(2),
			g.IntN(2), g.integer(2))
	case 14:
		line("if (%s) return %s;", g.integer(2), g.integer(2))
	}
}

// cycle grows two functions that call each other and themselves.
func (g *grower) cycle() {
	const head = "static long again%d(int level, thread int &a, int b, thread float &x, half y, long c)"
	fmt.Fprintf(g, head+";\n"+head+";\n", 0, 1)
	for k := range 2 {
		fmt.Fprintf(g,
			head+"\n{\n    if (level <= 0) return c ^ a;\n"+
				"    uchar d = uchar(a); ushort e = ushort(b); ulong u = ulong(c); short h = short(a ^ b);\n", k)
		g.ints, g.floats, g.fuel, g.again = []string{"a", "b", "c", "d", "e", "u", "h", "level"}, []string{"x", "y"},
			8, true
		for g.fuel > 0 {
			g.statement("    ", 2)
		}
		g.WriteString("    return a + b * 3 + c;\n}\n")
	}
	g.again = false
}

const grownHead = `#include <metal_stdlib>
using namespace metal;
struct Cell { int first; uchar second; short third; int total() const { return first + second * third; } };
template <typename T> struct Box {
    T value;
    static constant constexpr int size = sizeof(T) * 3;
    template <typename U> Box(U u) : value(T(u)) {}
    T more() const { return value + T(1); }
};
template <int N> struct limit { static constant constexpr int value = N * limit<N - 1>::value + 1; };
template <> struct limit<0> { static constant constexpr int value = 2; };
template <typename T> static T sum(T a, T b) { return a + b; }
template <typename T> static T twice(T a) { return a + a; }
static int twice(short a) { return a * 5; }
static int all_of(int a) { return a & 15; }
template <typename T, typename... U> static int all_of(T a, U... rest) { return (int(a) & 7) * 3 + all_of(int(rest)...); }
static void bump(thread int &x, int by) { x = x * 31 + by; }
static void bump(thread long &x, int by) { x = x * 37 - by; }
`

// grow is a program with its seed.
func grow(seed uint64) string {
	g := &grower{Rand: rand.New(rand.NewPCG(seed, 1)), vectors: map[string][]string{}}
	g.WriteString(grownHead)
	types := append(slices.Clone(intTypes), "float", "half")
	for _, t := range types[1:] {
		types = append(types, t+"2", t+"3", t+"4")
	}
	for i, t := range types {
		fmt.Fprintf(g, "static int kind(%s) { return %d; }\n", t, 100+i)
	}
	recursive := seed%2 == 0 // to compile them takes clang as long again
	if recursive {
		g.cycle()
	}
	g.WriteString("kernel void f(device long *out [[buffer(0)]], device const int *in [[buffer(1)]], device float " +
		"*real [[buffer(2)]], uint id [[thread_position_in_grid]])\n{\n")
	g.WriteString("    int a = in[id], b = in[id + 8]; long c = a * b; float x = float(a % 100) * 0.25f; half y = " +
		"half(b % 50);\n")
	g.WriteString("    uchar d = uchar(a); ushort e = ushort(b); ulong u = ulong(c); short h = short(a ^ b);\n")
	g.ints, g.floats, g.fuel = []string{"a", "b", "c", "d", "e", "u", "h", "id"}, []string{"x", "y"}, 14
	for g.fuel > 0 {
		g.statement("    ", 2)
	}
	for i, t := range vectorTypes {
		if g.IntN(3) == 0 {
			v := fmt.Sprintf("v%d", i)
			scalar := g.integer(2)
			if t[:len(t)-1] == "float" || t[:len(t)-1] == "half" {
				scalar = g.number(2)
			}
			fmt.Fprintf(g, "    %s %s = %s(%s); b = b * 7 + kind(%s.%s);\n", t, v, t, scalar, v,
				g.one("x", "xy", "yx", "yxx", "xyxy"))
		}
	}
	if recursive {
		g.WriteString("    c ^= again0(1 + int(id % 3), a, b, x, y, c);\n")
	}
	g.WriteString("    out[id * 3] = a; out[id * 3 + 1] = b; out[id * 3 + 2] = c;\n" +
		"    real[id * 2] = x; real[id * 2 + 1] = y;\n}\n")
	return g.String()
}

// grownPrograms is how many programs CI grows.
const grownPrograms = 200

// TestWitnessGrown asks clang what random programs mean.
func TestWitnessGrown(t *testing.T) {
	clang := requireWitness(t)
	n := grownPrograms
	if more, err := strconv.Atoi(os.Getenv("CONFORM_WITNESS_PROGRAMS")); err == nil {
		n = more
	}
	var launches []differential.Launch
	var want [][][]byte
	for seed := range n {
		p := &program{source: metalrun.SourceText("grown.metal", grow(uint64(seed)))}
		p.dispatch.Threads, p.dispatch.ThreadsPerThreadgroup = metalrun.Size{X: 8, Y: 1, Z: 1},
			metalrun.Size{X: 8, Y: 1, Z: 1}
		in := make([]byte, 64)
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		for i := range 16 {
			binary.LittleEndian.PutUint32(in[4*i:], uint32(int32(r.NormFloat64()*1000)))
		}
		for i, data := range [][]byte{make([]byte, 8*3*8), in, make([]byte, 4*2*8)} {
			p.dispatch.Bindings = append(p.dispatch.Bindings, metalrun.Binding{Index: i, Data: data, Length: len(data)})
		}
		for _, l := range p.launches(t) {
			launches, want = append(launches, l.Launch), append(want, l.after)
		}
	}
	other := launches[0] // the same question about another program: the answer has to differ
	other.Source = metalrun.SourceText("grown.metal",
		strings.Replace(grow(0), "out[id * 3] = a;", "out[id * 3] = a + 1;", 1))
	answers, err := differential.Ask(clang, t.TempDir(), append(launches, other))
	if err != nil {
		t.Fatal(err)
	}
	if a := answers[len(launches)]; a.Refused != "" || differential.Difference(a.Buffers, want[0]) == "" {
		t.Errorf("a program that was altered agrees (%s)", a.Refused)
	}
	for i, a := range answers[:len(launches)] {
		switch {
		case a.Refused != "":
			t.Errorf("program %d: %s", i, a.Refused)
		case differential.Difference(a.Buffers, want[i]) != "":
			t.Errorf("program %d: %s\n%s", i, differential.Difference(a.Buffers, want[i]),
				strings.TrimPrefix(launches[i].Source.Files["grown.metal"], grownHead))
		}
	}
	if len(launches) < n {
		t.Errorf("%d programs were launched of %d", len(launches), n)
	}
}
