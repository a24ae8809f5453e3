package sim

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"metalconform/metalrun"
)

// TestLibraryForgets asks for more kernels than a library keeps: those that nobody has are gone, with the memory of
// their launches, and can be asked for again.
func TestLibraryForgets(t *testing.T) {
	const number = 3 * mostRecent
	var text strings.Builder
	for i := range number {
		fmt.Fprintf(&text, "kernel void k%d(device int *p [[buffer(0)]]) { p[0] = %[1]d; }\n", i)
	}
	p, err := metalrun.Analyse(metalrun.SourceText("many.metal", text.String()), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	made, err := New(Semantics{}).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	l := made.(*library)
	for i := range number {
		if _, err := l.Kernel(fmt.Sprint("k", i)); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	kept := 0
	for _, w := range l.kernels {
		if w.Value() != nil {
			kept++
		}
	}
	if kept != mostRecent {
		t.Errorf("%d kernels are kept of %d that were asked for, want %d", kept, number, mostRecent)
	}
	if first, err := l.Kernel("k0"); err != nil || first == nil {
		t.Error("the first is not made again: ", err)
	}
}
