package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/internal/exit"
	"metalconform/suite/explore"
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
	if status := conform(context.Background(), append([]string{"check", "-exec", "-v"}, names...), &stdout,
		&stderr); status != exit.Conforms {
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
		source += fmt.Sprintf("kernel void copy_%d(device float *out [[buffer(0)]], device const float *in "+
			"[[buffer(1)]], uint i [[thread_position_in_grid]]) { out[i] = in[i + %d]; }\n", n, n%3)
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
		if status := conform(context.Background(), []string{"check", "-exec", "-v", file}, &stdout, &stderr); status !=
			exit.Fails {
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
	if at, before := strings.Index(outputs[0], ": copy_29\n"), strings.Index(outputs[0], ": fill_9\n"); before < 0 ||
		at < before {
		t.Errorf("launches in another order than in the source:\n%s", outputs[0])
	}
}

// Instances of a template that show what those before them have shown are launched once, wherever they are
// instantiated. One that shows something else is found.
func TestInstancesAlike(t *testing.T) {
	source := `#include <metal_stdlib>
using namespace metal;
template<int N> kernel void shift(device float *out [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float part[256];
  part[i] = i;
  out[i] = part[255 - i] + N;
  if (N == 17) { part[1024 + i] = N; }
}
`
	for n := range 20 {
		source += fmt.Sprintf("template [[host_name(\"shift_%d\")]] kernel decltype(shift<%d>) shift<%d>;\n", n, n, n)
	}
	text, status := checkExec(t, source)
	for want, times := range map[string]int{": race: ": 19, ": fault: ": 1, "in shift_17, fault at": 1} {
		if n := strings.Count(text, want); n != times || status != exit.Fails {
			t.Errorf("status %d: %q occurs %d times, want %d:\n%s", status, want, n, times, text)
		}
	}
	// of explore.AlikeLaunched and that with the fault, in threadgroups of five sizes
	if n := strings.Count(text, ": shift_"); n > 60 {
		t.Errorf("%d launches:\n%s", n, text)
	}
}

// Instances that show something else than those before them, but the same as each other, wait for two of them.
func TestInstancesOfTwoKinds(t *testing.T) {
	source := `#include <metal_stdlib>
using namespace metal;
template<int N> kernel void shift(device float *out [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float part[1024];
  part[i] = i;
  if (N < 3) { threadgroup_barrier(mem_flags::mem_threadgroup); }
  out[i] = part[255 - (i & 255)] + N;
}
`
	for n := range 16 {
		source += fmt.Sprintf("template [[host_name(\"shift_%d\")]] kernel decltype(shift<%d>) shift<%d>;\n", n, n, n)
	}
	text, _ := checkExec(t, source)
	if races := strings.Count(text, "in shift_"); races < 13 {
		t.Errorf("%d findings, want one of each of 13 instances at least:\n%s", races, text)
	}
	many := 0
	for n := 3; n < 16; n++ {
		if strings.Count(text, fmt.Sprintf(": shift_%d\n", n)) > 6 {
			many++
		}
	}
	if many != explore.AlikeLaunched {
		t.Errorf("%d instances without a barrier are launched in every way, want %d:\n%s", many, explore.AlikeLaunched,
			text)
	}
}

// Instances whose simdgroups race, though each alone has no race, are launched as others in both threadgroups.
// One that shows something else among simdgroups is found.
func TestInstancesAmongSimdgroups(t *testing.T) {
	source := `#include <metal_stdlib>
using namespace metal;
template<int N> kernel void rows(device float *out [[buffer(0)]], device const float *in [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]], ushort of [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[32];
  part[lane] = in[32 * of + lane] + N;
  simdgroup_barrier(mem_flags::mem_threadgroup);
  out[32 * of + lane] = part[31 - lane];
  if (N == 7) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lane == 0) { part[0] = of; }
  }
}
`
	const instances = 12
	for n := range instances {
		source += fmt.Sprintf("template [[host_name(\"rows_%d\")]] kernel decltype(rows<%d>) rows<%d>;\n", n, n, n)
	}
	text, _ := checkExec(t, source)
	for want, times := range map[string]int{":5:14: race: write and write": instances,
		":10:30: race: write and write": 1} {
		if n := strings.Count(text, want); n != times {
			t.Errorf("%q occurs %d times, want %d:\n%s", want, n, times, text)
		}
	}
	// of explore.AlikeLaunched and that with the other race, in threadgroups of four sizes
	if n := strings.Count(text, ": rows_"); n > 45 {
		t.Errorf("%d launches:\n%s", n, text)
	}
}

// Of many instances that show the same, the later ones are launched in a part of the grid. One that meets an
// unspecified value that those before have not met, or faults in the last threadgroup, is found.
func TestInstancesInPart(t *testing.T) {
	source := `#include <metal_stdlib>
using namespace metal;
template<int N> kernel void rows(device float *out [[buffer(0)]], uint lane [[thread_position_in_threadgroup]], uint at [[threadgroup_position_in_grid]], uint groups [[threadgroups_per_grid]]) {
  threadgroup float part[2048];
  part[lane] = N;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (N == 15 && at == 0 && lane == 0) { out[1000] = part[2047]; }
  if (N == 17 && at > 0 && at == groups - 1) { part[2048 + lane] = 0; }
  out[at / 2] = part[lane];
}
`
	for n := range 20 {
		source += fmt.Sprintf("template [[host_name(\"rows_%d\")]] kernel decltype(rows<%d>) rows<%d>;\n", n, n, n)
	}
	text, _ := checkExec(t, source)
	for _, want := range []string{"in rows_15, read at", "in rows_17, fault at", "in rows_19, write at"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "its neighbours and the last"); n == 0 {
		t.Errorf("no instance is launched in part:\n%s", text)
	}
}

// Instances of which whole grids show more than a part of them are launched in part once it is known what such a part
// means.
func TestInstancesMoreInWhole(t *testing.T) {
	source := `#include <metal_stdlib>
using namespace metal;
template<int N> kernel void rows(device float *out [[buffer(0)]], device float *more [[buffer(1)]], uint lane [[thread_position_in_threadgroup]], uint at [[threadgroup_position_in_grid]]) {
  if (at < 2) { out[lane] = at + N; }
  if (at == 1 || at == 2) { more[lane] = at + N; }
}
`
	const instances = 80
	for n := range instances {
		source += fmt.Sprintf("template [[host_name(\"rows_%d\")]] kernel decltype(rows<%d>) rows<%d>;\n", n, n, n)
	}
	text, _ := checkExec(t, source)
	if n := strings.Count(text, "a.metal:4:27: race"); n != instances {
		t.Errorf("%d races that a part shows, want %d:\n%s", n, instances, text)
	}
	if n := strings.Count(text, "a.metal:5:40: race"); n < explore.AlikeLaunched || n > instances/2 {
		t.Errorf("%d races that only whole grids show, want %d at most:\n%s", n, instances/2, text)
	}
}

// Instances whose races in threadgroups of one size are due to the grid are told so of that size, though those in a
// larger one are due to the size.
func TestInstancesInGrids(t *testing.T) {
	source := `#include <metal_stdlib>
using namespace metal;
template<int N> kernel void rows(device float *out [[buffer(0)]], constant uint &n [[buffer(1)]], uint3 at [[threadgroup_position_in_grid]], uint of [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  if (simd_sum(1) + lane > 0 && lane == 0) { out[2 * at.x + of + 16 * (at.y + at.z / n + at.z % n)] = N + at.y; }
}
`
	for n := range 6 {
		source += fmt.Sprintf("template [[host_name(\"rows_%d\")]] kernel decltype(rows<%d>) rows<%d>;\n", n, n, n)
	}
	text, status := checkExec(t, source)
	if n := strings.Count(text, "nothing of the kind with -grid"); status != 0 || n != 6 {
		t.Errorf("status %d, %d races are due to the grid, want 6:\n%s", status, n, text)
	}
}

// Threadgroups that do the same again along an axis of the grid do not race. Those that write other values there do,
// and so do those of which one alone would leave less.
func TestRepeatedThreadgroups(t *testing.T) {
	const kernels = `#include <metal_stdlib>
using namespace metal;
kernel void rows(device float *out [[buffer(0)]], device const float *in [[buffer(1)]], constant uint &few [[buffer(2)]],
                 uint2 g [[threadgroup_position_in_grid]]) {
  if (few < 8) {
    out[g.x] = in[g.x];
  } else {
    out[g.y] = in[g.y];
  }
}
`
	for source, want := range map[string]struct {
		text   string
		status int
	}{
		kernels: {"note: race with guessed integers, and nothing of the kind with -grid 1,2:", exit.Conforms},
		strings.Replace(kernels, "in[g.y]", "in[g.x]", 1): {": race: ",
			exit.Fails},
		strings.Replace(kernels, "out[g.y] = in[g.y]", "out[g.y] = in[g.y]; out[8 + g.x] = g.y", 1): {": race: ",
			exit.Fails},
	} {
		text, status := checkExec(t, source)
		if status != want.status || !strings.Contains(text, want.text) {
			t.Errorf("status %d, want %d with %q:\n%s\n%s", status, want.status, want.text, source, text)
		}
	}
}

func TestFindingOfManyKernels(t *testing.T) {
	const kernels = `#include <metal_stdlib>
using namespace metal;
template <typename T> [[kernel]] void reach(device T *y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  T t[4] = {};
  t[i & 7] = T(i);
  y[i] = t[0];
}
template [[host_name("f")]] [[kernel]] decltype(reach<float>) reach<float>;
template [[host_name("i")]] [[kernel]] decltype(reach<int>) reach<int>;
template [[host_name("h")]] [[kernel]] decltype(reach<half>) reach<half>;
`
	const full, short, sum = ": fault: write of ", ":5:12: fault: the same in 2 other kernels: i, h; -v shows each\n",
		": 3 findings, 3 kernels: f, i, h"
	for _, test := range []struct {
		flags       []string
		full, short int
	}{
		{nil, 1, 1},
		{[]string{"-v"}, 3, 0},
		{[]string{"-report", "github"}, 0, 0},
	} {
		text, status := checkExecWith(t, kernels, test.flags...)
		got := []int{strings.Count(text, full), strings.Count(text, short)}
		if want := []int{test.full, test.short}; status != exit.Fails || !slices.Equal(got, want) {
			t.Errorf("%v: status %d, told in full and in short %v, want %v:\n%s", test.flags, status, got, want, text)
		}
		if plain := !slices.Contains(test.flags, "-report"); plain != strings.Contains(text, sum) ||
			!plain && strings.Count(text, "::error ") != 3 {
			t.Errorf("%v: every kernel counts:\n%s", test.flags, text)
		}
	}
}

// checkExec launches the kernels of a source and shows every launch.
func checkExec(t *testing.T, source string) (text string, status int) {
	t.Helper()
	return checkExecWith(t, source, "-v")
}

func checkExecWith(t *testing.T, source string, flags ...string) (text string, status int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.metal")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status = conform(context.Background(), slices.Concat([]string{"check", "-exec"}, flags, []string{file}), &stdout,
		&stderr)
	return stdout.String() + stderr.String(), status
}

// Of thousands of function constants that are guessed, a finding names some.
func TestManyGuesses(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString("#include <metal_stdlib>\nusing namespace metal;\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "constant int c%d [[function_constant(%[1]d)]];\n", i)
	}
	text.WriteString("kernel void k(device int* y) { y[1 << 30] = c4999; }\n")
	if err := os.WriteFile("k.metal", []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	status := conform(t.Context(), strings.Fields("check -exec k.metal"), &out, &out)
	if got := out.String(); status != exit.Fails || len(got) > 4096 ||
		!strings.Contains(got, " more, which -report json has") {
		t.Errorf("status %d, %d bytes: %.4096s", status, len(got), got)
	}
}
