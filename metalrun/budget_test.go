package metalrun

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Whatever much is made of little is refused by the budget of a compilation, at a position, and before
// it has taken more than a hundred bytes a step.
func TestBudgetBoundsMemory(t *testing.T) {
	const steps = 1 << 17
	times := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("@-", fmt.Sprint(i), "@", fmt.Sprint(i+1)).Replace(format))
		}
		return b.String()
	}
	kernel := func(body string) string {
		return "kernel void k(device float* y [[buffer(0)]]) {\n" + body + "}\n"
	}
	for name, text := range map[string]string{
		"macros": "#define A0 x\n" + times(40, "#define A@ A@- + A@-\n") + "int z = A40;\n",
		"arguments": "#define a(x) x x x x\n#define b(x) a(a(x))\n#define c(x) b(b(x))\n" +
			"#define d(x) c(c(x))\nint z = d(d(1));\n",
		"chain": times(20000, "#define A@- A@\n") + "int z = A0;\n",
		"strings": "#define S(x) #x\n#define T(x) S(x)\nconstant char q[] = " + strings.Repeat("T(", 40) +
			`"a"` + strings.Repeat(")", 40) + ";\n",
		"names": "#define C(a) a##a\n#define D(a) C(a)\nint " + strings.Repeat("D(", 40) + "x" +
			strings.Repeat(")", 40) + ";\n",
		"instances": "template<int N, int M> struct A { static constant constexpr int v = A<N-1, M*2>::v " +
			"+ A<N-1, M*2+1>::v; };\ntemplate<int M> struct A<0, M> { static constant constexpr int v = 1; };\n" +
			kernel("y[0] = A<20, 0>::v;"),
		"overloads": times(300, "struct S@ {}; int f(S@ s) { return 1; }\n") +
			kernel("S1 s;\n"+times(300, "y[0] += f(s);\n")),
		"conversions": times(100, "struct S@ { S@(int x) {} }; int f(S@ s) { return 1; }\n") +
			"int f(int x) { return x; }\n" + kernel(times(100, "y[0] += f(1);\n")),
		"specialisations": times(80, "struct X@ {};\n") + "template<typename A, typename B> struct S {};\n" +
			times(80, "template<typename T> struct S<X@, T> { T t; };\n") + kernel(times(80, "{ S<X@, int> s; }\n")),
		"tokens": strings.Repeat(", ", 12000),
		"skipped text": "#ifndef A\n#define A\n" + strings.Repeat("#include \"k.metal\"\n", 300) + "#elif 0\n" +
			strings.Repeat("x ", 5000) + "\n#endif\n",
		"macro parameters": "#define M(" + times(1400, "a@, ") + "z) " + times(1400, "a@ ") + "\n",
		"conversion functions": times(150, "struct T@ {};\n") + "struct S {\n" +
			times(150, "operator T@() const { return T@(); }\n") + "};\n" + times(150, "int f(T@ t) { return 1; }\n") +
			kernel("S s;\nf(s);\n"),
		"friends": times(110, "struct T@ { friend T@ operator+(T@ a, T@ b) { return a; } };\n") +
			kernel("T1 a;\n"+strings.Repeat("a = a + a;\n", 110)),
		"default arguments": "int f(int z" + times(200, ", int a@ = 1") + ") { return 1; }\n" +
			kernel(strings.Repeat("y[0] = f(1);\n", 100)),
		"ends of members": "struct T { device float* y; ~T() { y[0] = 1; } };\nstruct S { T t;" + times(200,
			" int f@;") + " };\n" + kernel("S s{{y}};\n"+strings.Repeat("if (y[0] == 1) { return; }\n", 140)),
		"bases":      times(700, "struct A@ {};\n") + "struct B : A1" + times(699, ", A@") + " {};\n",
		"overloaded": times(500, "int f(constant int (*x)[@]) { return 1; }\n"),
		"packs": "template<typename T> int f(T x) { return x; }\ntemplate<typename T, typename... U> " +
			"int f(T x, U... y) { return x + f(y...); }\n" + kernel("y[0] = f(1"+strings.Repeat(", 1", 50)+");\n"),
		"expansions": "template<int... I> struct S { static constant constexpr int v = (... + I); };\n" +
			"template<int N, int... I> struct M { static constant constexpr int v = M<N-1, I..., I...>::v; };\n" +
			"template<int... I> struct M<0, I...> { static constant constexpr int v = S<I...>::v; };\n" +
			kernel("y[0] = M<20, 1>::v;"),
		"same template": "template<int N> struct S { int a; };\n" +
			times(2100, "template<> struct S<@> { int a; };\n"),
		"designators":       times(9, "constant int s@[16384] = {[0] = 1};\n"),
		"designated ranges": "constant int s[16384] = {" + strings.Repeat("[0 ... 16383] = 1, ", 200) + "};\n",
		"deductions": times(70, "struct S@ {};\ntemplate<typename T> int f(T a, S@ b) { return 1; }\n") +
			kernel("S1 s;\n"+strings.Repeat("f(1, s);\n", 70)),
		"templates": "struct S {};\ntemplate<typename T, typename U> int f(T a, U b) { return 1; }\n" +
			"template<typename T, typename U> int f(thread T* a, U b) { return 1; }\n" +
			"template<typename T> int f(thread T* a, S b) { return 1; }\n" +
			kernel("S s;\nint i;\n"+strings.Repeat("f(&i, s);\n", 600)),
		"members": "struct S { int z = 1;" + times(200, " int f@ = 1;") + " };\n" +
			kernel(strings.Repeat("{ S s; }\n", 60)),
		"expressions": "template<int N> float f(float x) {\n" +
			strings.Repeat("x = x * float(N) + 1 - (x > 2 ? 3 : x);\n", 100) + "return x;\n}\n" +
			kernel(times(40, "y[0] = f<@>(1);\n")),
		"calls in calls": "float f0(float x) { return x; }\n" +
			times(30, "float f@(float x) { return f@-(x) + f@-(x); }\n") + kernel("y[0] = f30(1);"),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Analyse(SourceText("k.metal", text), CompileOptions{Budget: steps})
			runtime.ReadMemStats(&after)
			var list Diagnostics
			if !errors.As(err, &list) || list[0].Line == 0 ||
				!slices.ContainsFunc(list, func(d Diagnostic) bool {
					return d.Code == "limit" && strings.Contains(d.Message, "-compile-budget")
				}) {
				t.Errorf("got %.300v, want -compile-budget", err)
			}
			if most := uint64(100*steps + 40*len(text)); after.TotalAlloc-before.TotalAlloc > most {
				t.Errorf("%d bytes for %d steps, want at most %d", after.TotalAlloc-before.TotalAlloc, steps, most)
			}
		})
	}
}

// A kernel becomes as many instructions as its compilation's budget has room for.
func TestBudgetBoundsInstructions(t *testing.T) {
	text := "kernel void k(device uint* y [[buffer(0)]]) {\nuint a = y[0];\n" + strings.Repeat("a ^= a << 3;\n", 5000) +
		"y[0] = a;\n}\n"
	for budget, fits := range map[int]bool{1 << 21: false, 1 << 22: true} {
		p, err := Analyse(SourceText("k.metal", text), CompileOptions{Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Kernels()
		if fits != (err == nil) ||
			!fits && !strings.Contains(err.Error(),
				"becomes more than 8192 instructions here, which -compile-budget can raise") {
			t.Errorf("budget %d: %v", budget, err)
		}
	}
}

// Of a file with many entry points one is described for what that one takes.
func TestKernelTakesItsOwnBudget(t *testing.T) {
	var text strings.Builder
	text.WriteString("void f(device uint* y, uint a) {\n" + strings.Repeat("a ^= a << 3;\n", 200) + "y[0] = a;\n}\n")
	for i := range 40 {
		fmt.Fprintf(&text,
			"kernel void k%d(device uint* y [[buffer(%d)]], uint t [[thread_position_in_grid]]) { f(y, t); }\n", i, i%8)
	}
	p, err := Analyse(SourceText("k.metal", text.String()), CompileOptions{Budget: 1 << 19, Lowering: 1 << 15})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Kernels(); err == nil || !strings.Contains(err.Error(), "-compile-budget") {
		t.Errorf("all of them: %v", err)
	}
	info, err := p.Kernel("k21")
	if err != nil || info.Name != "k21" || len(info.Args) != 1 || info.Args[0].Index != 5 ||
		!slices.Equal(info.Inputs, []string{"thread_position_in_grid.x"}) {
		t.Errorf("one of them: %+v, %v", info, err)
	}
	if s := p.Signatures(); len(s) != 40 || s[21].Name != "k21" || s[21].Position != info.Position ||
		s[21].Args[0].Index != 5 {
		t.Errorf("%d signatures", len(s))
	}
	if _, err := p.Kernel("k40"); err == nil || p.Exports("k40") || !p.Exports("k39") {
		t.Errorf("one that there is not: %v", err)
	}
}

// Of a file full of mistakes the first thousand are told.
func TestErrorsAreBounded(t *testing.T) {
	_, err := Analyse(SourceText("k.metal",
		"kernel void k(device float* y) {\n"+strings.Repeat("y[0] = a + b;\n", 2000)+"}\n"), CompileOptions{})
	var list Diagnostics
	if !errors.As(err, &list) || len(list) != 1000 {
		t.Errorf("%d errors, want 1000", len(list))
	}
}

// Classes that derive from each other without end are refused where they do.
func TestBasesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("struct A0 {};\n")
	for i := range 300 {
		fmt.Fprintf(&b, "struct A%d : A%d {};\n", i+1, i)
	}
	_, err := Analyse(SourceText("k.metal", b.String()), CompileOptions{})
	var list Diagnostics
	if !errors.As(err, &list) || list[0].Code != "limit" || list[0].Line != 202 {
		t.Errorf("got %.300v, want a limit at line 202", err)
	}
}

// What an undeclared name may have meant is looked for among so many names, not for each error anew.
func TestHintsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "constant int name%d = 1;\n", i)
	}
	b.WriteString("kernel void k(device float* y) {\n")
	for i := range 200 {
		fmt.Fprintf(&b, "y[0] = nome%d;\n", i)
	}
	b.WriteString("}\n")
	_, err := Analyse(SourceText("k.metal", b.String()), CompileOptions{})
	var list Diagnostics
	if !errors.As(err, &list) || len(list) != 200 {
		t.Fatalf("%d errors, want 200", len(list))
	}
	if hinted := func(d Diagnostic) bool { return strings.Contains(d.Message, "did you mean") }; !hinted(list[0]) ||
		hinted(list[199]) {
		t.Errorf("got %q and %q, want a hint in the first", list[0].Message, list[199].Message)
	}
}

// That an operation is no constant is found once, however many are around it.
func TestBudgetOfChains(t *testing.T) {
	text := "int f(int x) { return x; }\nkernel void k(device int* y [[buffer(0)]]) { y[0] = f(y[1])" +
		strings.Repeat("+1", 4900) + "; }\n"
	if _, err := Analyse(SourceText("k.metal", text), CompileOptions{Budget: 1 << 18}); err != nil {
		t.Error(err)
	}
}
