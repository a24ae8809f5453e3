package metalrun

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// instances are n instances of one template, number bad of which cannot be checked. A function has a warning.
func instances(n, bad int) Source {
	var b strings.Builder
	b.WriteString("struct S { float a; };\ninline float twice(float x) { float unread; return 2 * x; }\n" +
		"template <int N>\n" +
		"kernel void k(device float *y [[buffer(0)]], constant float &x [[buffer((N + 3) % 3 + 1)]]) {\n" +
		"  static_assert(N != -1, \"bad\"); threadgroup float t[N + 2]; t[0] = twice(x); y[N + 1] = t[0]; }\n")
	for i := range n {
		if i == bad {
			i = -1
		}
		fmt.Fprintf(&b, "template [[host_name(\"k%d\")]] kernel void k<%d>(device float *, constant float &);\n", i, i)
	}
	return SourceText("k.metal", b.String())
}

// TestBatches compares a file whose entry points are checked in batches with the same entry points by name.
func TestBatches(t *testing.T) {
	const n = 700
	s := instances(n, -1)
	p, err := Analyse(s, CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p.bodies == nil {
		t.Fatal("the file was checked as a whole")
	}
	names, err := p.Names()
	if err != nil || len(names) != n || names[500] != "k500" {
		t.Fatalf("%d names, %v", len(names), err)
	}
	if w := p.Warnings(); len(w) != 1 || !strings.Contains(w[0].Message, "unread") {
		t.Errorf("warnings: %v", w)
	}
	infos, err := p.Kernels()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 191, 192, 699} {
		name := fmt.Sprint("k", i)
		alone, err := Analyse(s, CompileOptions{}.For(name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, infos[i]); diff != "" || want.StaticThreadgroupMemory != 4*(i+2) {
			t.Errorf("%s (-alone +batch):\n%s", name, diff)
		}
	}
}

// TestFaultInBatch wants the errors of a file with a fault to be those of the file as a whole.
func TestFaultInBatch(t *testing.T) {
	_, err := Analyse(instances(700, 650), CompileOptions{})
	var list Diagnostics
	if !errors.As(err, &list) || !slices.ContainsFunc(list, func(d Diagnostic) bool {
		return d.Line == 5 && strings.Contains(d.Message, "bad")
	}) {
		t.Errorf("got %v", err)
	}
}
