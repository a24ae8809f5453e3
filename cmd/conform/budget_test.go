package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/internal/exit"
)

// starAt is a specification of a copy at a size, with more arguments of kernel.
func starAt(n int, oracle, more string) string {
	return fmt.Sprintf("kernel(name = \"k\", args = [input(\"a\", f32, \"n\"), output(\"y\", f32, \"n\")], "+
		"threads = [\"n\"], threads_per_threadgroup = 64, base = {\"n\": %d}, oracle = %s%s)\n", n, oracle, more)
}

// zeroArchive is an archive of two arrays of n zeros.
func zeroArchive(t *testing.T, n int) string {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, name := range []string{"a.npy", "y.npy"} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }", n)
		header += strings.Repeat(" ", 117-len(header)) + "\n"
		fmt.Fprintf(w, "\x93NUMPY\x01\x00%c\x00%s", len(header), header)
		for left := 4 * n; left > 0; left -= 1 << 16 {
			if _, err := w.Write(make([]byte, min(left, 1<<16))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// budgetFiles are small files that ask for much, by name, with one kernel that all of them are about.
func budgetFiles(t *testing.T) map[string]string {
	const header = "#include <metal_stdlib>\nusing namespace metal;\n"
	const kernel = header + "kernel void k(device const float* a, device float* y, " +
		"uint i [[thread_position_in_grid]]) { y[i] = a[i]; }\n"
	var loops, buffers, times strings.Builder
	loops.WriteString(header)
	for i := range 200 {
		fmt.Fprintf(&loops, "kernel void k%d(device float* y, uint i [[thread_position_in_grid]]) { float s = 0; "+
			"for (int j = 0; j < 200000; j++) s += y[i] * j; y[i] = s; }\n", i)
	}
	buffers.WriteString(header)
	for i := range 60 {
		fmt.Fprintf(&buffers, "kernel void k%d(", i)
		for b := range 30 {
			fmt.Fprintf(&buffers, "device int* a%d [[buffer(%[1]d)]], ", b)
		}
		buffers.WriteString("uint i [[thread_position_in_grid]]) {")
		for b := range 30 {
			fmt.Fprintf(&buffers, " a%d[i*i] += 1;", b)
		}
		buffers.WriteString(" }\n")
	}
	for i := range 100 {
		fmt.Fprintf(&times, "BenchmarkX 1 %d ns/op\n", 1000+i)
	}
	files := map[string]string{
		"loops.metal": loops.String(), "buffers.metal": buffers.String(), "bench.txt": times.String(),
		"archive/z.npz":       zeroArchive(t, 24_000_000),
		"matrix/conform.toml": fmt.Sprintf(sixteenSquared, sixteen),
		"include/k.metal":     strings.Repeat("#include \"h.h\"\n", 60) + kernel,
		"include/h.h":         "#define A \\\n" + strings.Repeat("x \\\n", 200_000) + "\n",
	}
	for dir, star := range map[string]string{
		"large":       starAt(1<<24, "lambda a: a", ""),
		"medium":      starAt(1<<20, "lambda a: a", ""),
		"small":       starAt(64, "lambda a: a", ""),
		"definitions": starAt(64, "lambda a: a + 0 * sum([sum(a) for i in range(100)])", ""),
		"families": starAt(8, "lambda a: a",
			", inputs = [family(\"f%d\" % i, {\"a\": normal}) for i in range(100000)]"),
		"archive": starAt(8, "lambda a: a", ", recordings = [\"z.npz\"]"),
		"matrix":  starAt(64, "lambda a: a", ""),
		"broadcasts": "def f(a):\n    x = [(zeros(2000, 1) + zeros(1, 2000)).sum() for i in range(100)]\n" +
			"    return a\n" + starAt(64, "f", ""),
		"scan": "def f(a):\n    x = scan(lambda s, x: (s + x, s), 0, zeros(10000000))\n    return a\n" +
			starAt(64, "f", ""),
		"product": "def f(a):\n    x = ones(3000, 3000)\n    y = x @ x\n    return a\n" + starAt(64, "f", ""),
	} {
		files[dir+"/k.star"], files[dir+"/k.metal"] = star, kernel
	}
	return files
}

const sixteenSquared = "[[compile]]\nfile = \"k.metal\"\nmatrix = { A = [%s], B = [%[1]s] }\n"

const sixteen = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15"

// TestBudgets: what a small input asks for ends the run at a limit that counts, before it is allocated or after little
// of it, with one line that names the flag.
func TestBudgets(t *testing.T) {
	files := budgetFiles(t)
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"run -shaders large", exit.Usage, "k/n=16777216/input=normal holds about 1073741824 bytes: more than " +
			"536870912 bytes that the largest of these cases holds, which -budget held=N can raise"},
		{"run -math safe -budget elements=100000000 -shaders medium", exit.Usage, "176160768 elements in 21 cases, " +
			"176160768 of " +
			"them of k, and 8388608 of the case k/n=1048576/input=normal: more than 100000000 elements of the " +
			"buffers of these cases, on all devices, which -budget elements=N can raise"},
		{"spec check large/k.star", exit.Usage, "which -budget held=N can raise"},
		{"check -exec loops.metal", exit.Fails, "not launched from here on: 19"},
		{"check -exec -launch-budget 500000000 buffers.metal", exit.Fails,
			"the launches of k0 have taken the 500000000 steps that those of this file may, which -launch-budget"},
		{"check -exec -budget launches=50000000 loops.metal", exit.Fails, "which -budget launches=N can raise"},
		{"run -shaders families", exit.Usage, "k.star:1:176: more than 8192 families of inputs that files specify, " +
			"which -budget families=N can raise"},
		{"run -shaders archive", exit.Usage, "z.npz: array \"y\": more than 134217728 bytes that such archives " +
			"become, " +
			"which -budget expanded=N can raise"},
		{"run -budget arrays=1 -shaders archive", exit.Usage, "which -budget arrays=N can raise"},
		{"run -shaders matrix", exit.Usage, "256 combinations of matrices: more than 128 "},
		{"run -budget cases=16 -shaders small", exit.Usage, "more than 16 cases that files specify"},
		{"run -budget cases=1000 -budget variants=256 -shaders matrix", exit.Usage,
			"5376 cases in all variants and math modes: more than 1000 "},
		{"run -shaders broadcasts", exit.Device, "which -definition-limit elements=N can raise"},
		{"run -shaders scan", exit.Device, "which -definition-limit bytes=N can raise"},
		{"run -shaders product", exit.Device, "which -definition-limit operations=N can raise"},
		{"run -budget definitions=100000 -shaders definitions", exit.Device,
			"not judged: the cases before it took more than 100000 operations of definitions, for all cases, which " +
				"-budget definitions=N can raise"},
		{"run -budget steps=1000 -shaders small", exit.Device,
			"not judged: the cases before it took more than 1000 instructions of threads on simulators, for all " +
				"cases, which -budget steps=N can raise"},
		{"check include/k.metal", exit.Fails, "which -compile-limit included=N can raise"},
		{"check -budget included=1000000 include/k.metal", exit.Fails, "k.metal:2:10: error: more than 1000000 bytes " +
			"of includes, each time that one is included, which -budget included=N can raise"},
	} {
		var out strings.Builder
		status := conform(t.Context(), strings.Fields(test.args), &out, &out)
		if text := out.String(); status != test.status || !strings.Contains(text, test.want) {
			t.Errorf("%s: status %d, got %.600q, want %d, %q", test.args, status, text, test.status, test.want)
		}
	}
}

// TestBudgetsAreDeterministic: which cases a budget leaves out does not depend on how many are judged at once.
func TestBudgetsAreDeterministic(t *testing.T) {
	files := budgetFiles(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"k.metal", "k.star"} {
		if err := os.WriteFile(name, []byte(files["small/"+name]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var first string
	for range 5 {
		var out strings.Builder
		conform(t.Context(), strings.Fields("run -math safe -json -no-clocks -budget steps=5000 -backend simulator"),
			&out, &out)
		if first == "" {
			first = out.String()
		}
		n := strings.Count(out.String(), "not judged: the cases before it")
		if out.String() != first || n == 0 || n > 16 {
			t.Fatalf("%d cases are left out; this and before:\n%s\n%s", n, out.String(), first)
		}
	}
}
