package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Nothing is found in our own kernels, each in cases of the catalogue.
func TestCheckShaders(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	t.Chdir(filepath.Join("..", "..", "shaders"))
	names, err := filepath.Glob("*.metal")
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := conform(context.Background(), append([]string{"check", "-exec", "-v"}, names...), &stdout, &stderr); status != exitConforms {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	for line := range strings.Lines(stdout.String()) {
		if strings.Contains(line, "guessed") || strings.Contains(line, "note: ") {
			t.Errorf("not a case of the catalogue: %s", line)
		}
	}
	if n := strings.Count(stdout.String(), ": ok, "); n != len(names) {
		t.Errorf("%d of %d files are without findings:\n%s", n, len(names), stdout.String())
	}
}

// A row may have as many threads as elements, so that threads which leave before a barrier are at fault only if the
// length leaves none over.
func TestBarriersOfShortRows(t *testing.T) {
	for length, want := range map[float64]verdict{13: undecided, 63: undecided, 64: decided, 1100: decided} {
		var o observation
		o.Check, o.fault = "fault", &metalrun.Fault{Kind: metalrun.Divergent}
		if got := o.ofLength(adhoc.Otherwise{Value: length}, 64); got != want {
			t.Errorf("%v elements: verdict %d, want %d", length, got, want)
		}
	}
}

// The kernels of a file are launched side by side. What is printed is the same with any number of processors, and an
// instance that differs from those before it is no instance like them.
func TestManyKernels(t *testing.T) {
	source := `#include <metal_stdlib>
using namespace metal;
template<int N> kernel void fill(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float part[64];
  part[i % 64] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (N == 7) { part[64 + i % 64] = 1; }
  out[i] = part[i % 64] + N;
}
`
	for n := range 10 {
		source += fmt.Sprintf("template [[host_name(\"fill_%d\")]] kernel decltype(fill<%d>) fill<%d>;\n", n, n, n)
	}
	for n := range 30 {
		source += fmt.Sprintf("kernel void copy_%d(device float *out [[buffer(0)]], device const float *in [[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = in[i + %d]; }\n", n, n%3)
	}
	file := filepath.Join(t.TempDir(), "many.metal")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var outputs []string
	for _, processors := range []int{1, 4} {
		runtime.GOMAXPROCS(processors)
		var stdout, stderr bytes.Buffer
		if status := conform(context.Background(), []string{"check", "-exec", "-v", file}, &stdout, &stderr); status != exitFails {
			t.Fatalf("status %d: %s%s", status, stderr.String(), stdout.String())
		}
		_, launches, _ := strings.Cut(stdout.String(), "\n") // the first line has times
		outputs = append(outputs, launches)
	}
	if diff := cmp.Diff(outputs[0], outputs[1]); diff != "" {
		t.Errorf("(-one processor +four):\n%s", diff)
	}
	if n := strings.Count(outputs[0], ": fault: "); n != 1 || !strings.Contains(outputs[0], "in fill_7,") {
		t.Errorf("%d faults, want that of fill_7:\n%s", n, outputs[0])
	}
	if at, before := strings.Index(outputs[0], ": copy_29\n"), strings.Index(outputs[0], ": fill_9\n"); before < 0 || at < before {
		t.Errorf("launches in another order than in the source:\n%s", outputs[0])
	}
}
