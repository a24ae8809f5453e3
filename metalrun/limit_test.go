package metalrun

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun/internal/syntax"
)

// limited are sources with n of what a limit bounds, or a few times as many.
var limited = map[string]func(n int) Source{
	"nesting": func(n int) Source {
		return inKernel("", "y[0] = "+strings.Repeat("(", n/4)+"1"+strings.Repeat(")", n/4)+";")
	},
	"operators": func(n int) Source { return inKernel("", "y[0] = y[1]"+strings.Repeat("+1", n)+";") },
	"includes": func(n int) Source {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("i%d.h", i)] = fmt.Sprintf("#include \"i%d.h\"\n", i+1)
		}
		files[fmt.Sprintf("i%d.h", n)] = ""
		files["k.metal"] = "#include \"i1.h\"\n"
		return Source{Name: "k.metal", Files: files}
	},
	"included": func(n int) Source {
		comment := "//" + strings.Repeat("x", 1<<20-3) + "\n"
		return Source{Name: "k.metal", Files: map[string]string{"a.h": comment,
			"k.metal": strings.Repeat("#include \"a.h\"\n", n>>20)}}
	},
	"instances": func(n int) Source {
		return inKernel("template<int N> float f(float x) { return f<N - 1>(x); }\n"+
			"template<> float f<0>(float x) { return x; }\n", fmt.Sprintf("y[0] = f<%d>(y[0]);", n-1))
	},
	"depth": func(n int) Source {
		link := strings.Repeat("+1", 2000)
		return inKernel("template<int N> float f(float x) { return f<N - 1>(x)"+link+
			"; }\ntemplate<> float f<0>(float x) { return x; }\n", fmt.Sprintf("y[0] = f<%d>(y[0]);", n/2001-1))
	},
	"members": func(n int) Source {
		return inKernel("struct S {"+strings.Repeat(" float a@;", n)+" };\n", "device S* s = (device S*)y; s->a1 = 1;")
	},
	"constant-steps": func(n int) Source {
		return inKernel(fmt.Sprintf("constexpr int f() { int s = 0; for (int i = 0; i < %d; i++) { s ^= i; } return "+
			"s; }\nconstant int x = f();\n", n/10), "y[0] = x;")
	},
	"constant-calls": func(n int) Source {
		return inKernel(fmt.Sprintf("constexpr int f(int n) { return n > 1 ? f(n - 1) : 0; }\n"+
			"constant int x = f(%d);\n", n-1), "y[0] = x;")
	},
}

// inKernel is a kernel behind declarations. Each @ is a number of its own.
func inKernel(before, body string) Source {
	var b strings.Builder
	for i, part := range strings.Split(before+"kernel void k(device float* y [[buffer(0)]]) { "+body+" }\n", "@") {
		if i > 0 {
			fmt.Fprint(&b, i)
		}
		b.WriteString(part)
	}
	return SourceText("k.metal", b.String())
}

// What exceeds a limit is refused at a position, with the flag that raises it; it does, and as far as it goes
// what it admits can be lowered.
func TestLimits(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(syntax.LimitTable()), "\n")
	// which launches exceed
	rows = slices.DeleteFunc(rows, func(row string) bool { return strings.HasPrefix(row, "recursion ") })
	if len(rows) != len(limited) {
		t.Errorf("%d limits, %d sources that exceed one", len(rows), len(limited))
	}
	for _, row := range rows {
		var name string
		var usual, most int
		if _, err := fmt.Sscan(row, &name, &usual, &most); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			source := limited[name]
			raised := CompileOptions{Budget: 1 << 30}
			if err := raised.Limits.Set(fmt.Sprintf("%s=%d", name, most)); err != nil {
				t.Fatal(err)
			}
			far := most
			if testing.Short() || most > 30_000 {
				far = min(most, 2*usual)
			}
			for n, opts := range map[int]CompileOptions{usual / 4: {}, far: raised} {
				if p, err := Analyse(source(n), opts); err != nil {
					t.Errorf("%d: %.300v", n, err)
				} else if _, err := p.Kernels(); err != nil {
					t.Errorf("%d, lowered: %.300v", n, err)
				}
			}
			for n, opts := range map[int]CompileOptions{2 * usual: {}, 2 * most: raised} {
				if n > 100_000 && opts.Budget > 0 || testing.Short() && opts.Budget > 0 {
					continue
				}
				want := "which -compile-limit " + name + "=N can raise"
				if opts.Budget > 0 {
					want = "the most that -compile-limit " + name + "=N takes"
				}
				var list Diagnostics
				if _, err := Analyse(source(n), opts); !errors.As(err, &list) || list[0].Line == 0 ||
					!strings.Contains(err.Error(), want) {
					t.Errorf("%d: got %.300v, want %q", n, err, want)
				}
			}
		})
	}
}

func TestLimitFlags(t *testing.T) {
	for text, want := range map[string]string{
		"nesting=201": "", "nesting=1001": "from 1 to 1000", "nesting=0": "from 1 to 1000", "nesting": "from 1 to 1000",
		"nesting=1e2": "from 1 to 1000",
		"nestling=7":  "\noperators           5000      20000  operators in a row", "": "one of these names",
		"nesting=-1": "from 1 to 1000",
	} {
		var l Limits
		switch err := l.Set(text); {
		case want == "" && (err != nil || l.String() != text):
			t.Errorf("%s: got %q, error %v", text, l.String(), err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
