package metalrun

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// growing are sources with n of something that strangers may write many of.
var growing = map[string]func(n int) Source{
	"qualifiers": func(n int) Source { return inKernel("", "y[0] = "+strings.Repeat("n::", n)+"f();") },
	"namespaces": func(n int) Source {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "namespace n%d { int f() { return 1; } }\n", i)
		}
		return inKernel(b.String(), "y[0] = n0::f();")
	},
	"exits": func(n int) Source {
		return inKernel("", strings.Repeat("do { y[0] -= 1; } while (y[0] > 1); if (y[1] > 2) { return; }\n", n))
	},
	"operators of a class": func(n int) Source {
		return inKernel("struct S { int a; S operator+(S b) thread const { return b; } };\n",
			"S s{1}; s = s"+strings.Repeat(" + s", n/2)+"; y[0] = s.a;")
	},
	"muted warnings": func(n int) Source {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "#pragma clang diagnostic ignored \"-Wunknown%d\"\n", i)
		}
		return inKernel(b.String(), "y[0] = 1;")
	},
	"declarations": func(n int) Source {
		return inKernel("struct S { "+strings.Repeat("int f@() { return 1; } ", n)+"};\n", "S s; y[0] = s.f1();")
	},
}

// What compiling allocates grows as the source does.
func TestGrowth(t *testing.T) {
	for name, source := range growing {
		allocated := func(n int) float64 {
			s := source(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if p, err := Analyse(s, CompileOptions{}); err == nil {
				p.Kernels()
			}
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		if few, many := allocated(1000), allocated(8000); many > 16*few {
			t.Errorf("%s: %.0f bytes for 1000, %.0f for 8000", name, few, many)
		}
	}
}

// Names of namespaces in each other are counted, as each has those around it in its own.
func TestNestedNames(t *testing.T) {
	var b strings.Builder
	for i := range 150 {
		fmt.Fprintf(&b, "namespace n%d%s {", i, strings.Repeat("x", 40_000))
	}
	_, err := Analyse(SourceText("k.metal", b.String()+strings.Repeat("}", 150)), CompileOptions{Budget: 8 << 20})
	if err == nil || !strings.Contains(err.Error(), "which -compile-budget can raise") {
		t.Errorf("got %.300v", err)
	}
}
