package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"

	"metalconform/internal/exit"
)

// Results have the texts that judged kernels are made of and no others, and none if nobody is to have them.
func TestSourcesOfResults(t *testing.T) {
	shader, err := os.ReadFile(filepath.Join("..", "..", "shaders", "norm.metal"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("mine", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"norm.metal": string(shader), "other.metal": "// SECRET\n" +
		"kernel void other(device float* y [[buffer(0)]]) { y[0] = 1; }\n", "other.h": "// SECRET\n"} {
		if err := os.WriteFile(filepath.Join("mine", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		flag string
		has  bool
	}{{"", true}, {"-no-sources", false}} {
		out, args := "out"+test.flag, "run -q -shaders mine -run ^residual_add/dim=260/input=normal$ "+test.flag
		var text strings.Builder
		if status := conform(t.Context(), append(strings.Fields(args), "-o", out), &text, &text); status !=
			exit.Conforms {
			t.Fatalf("%s: status %d, %s", args, status, text.String())
		}
		results, err := os.ReadFile(filepath.Join(out, "results.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(results), "kernel void residual_add"); has != test.has ||
			strings.Contains(string(results), "SECRET") {
			t.Errorf("%s: the kernel's text is there: %t, want %t; the other's: %t", args, has, test.has,
				strings.Contains(string(results), "SECRET"))
		}
	}
}

// hostileCommands are what strangers may put into a pull request, as commands that meet the files of hostileFiles, and
// a part of the line that refuses it.
var hostileCommands = []struct{ args, want string }{
	{"check -exec arrays/k.metal", "or raise -thread-memory"},
	{"check -exec -thread-memory 4194304 branches.metal",
		"branches.metal:3:1: fault: the variables and branches of a thread take"},
	{"check -exec -local 0=9223372036854775807 local.metal", "-local"},
	{"check -exec -launch-steps 1000 loop.metal", "which -launch-steps can raise"},
	{"check -exec -grid 1048576,1048576 loop.metal",
		"loop.metal:3:1: fault: 1099511627776 threadgroups are more than the 1048576 that a launch may run, which " +
			"-launch-threadgroups can raise"},
	{"check -exec -grid 1048576,1048576,1048576 loop.metal", "at most 2^48 together"},
	{"check -exec -run-timeout 1ns loop.metal", "-run-timeout"},
	{"check -exec -launch-budget 0 loop.metal", "-launch-budget can raise: not launched from here on: 1 kernel"},
	{"check chain.metal", "which -compile-limit depth=N can raise"},
	{"check calls.metal", "with those of the functions that they call, which -compile-limit depth=N can raise"},
	{"check constant.metal", "takes more steps than 1048576, which -compile-limit constant-steps=N can raise"},
	{"check include/k.metal", "lies outside"},
	{"check -compile-budget 10 loop.metal", "which -compile-budget can raise"},
	{"check -source-memory 1 wide",
		"wide/1.metal:1:1: the sources up to this one take more than 1 MiB, which -source-memory can raise"},
	{"check -source-memory 0 many", "many/1.metal:1:1: the sources up to this one"},
	{"run -source-memory 1 -shaders many",
		"large.h:1:1: the sources up to this one take more than 1 MiB, which -source-memory can raise"},
	{"spec check -definition-limit case=100 spec/case.star",
		"case.star:1:1: all evaluations for a case take more than 100 operations: take a smaller point, which " +
			"-definition-limit case=N can raise"},
	{"bench -count 1000000000 -run ^residual_add", "-count 1000000000: want at most 10000"},
	{"run -shaders linked -o out", "linked"},
	{"run -shaders config", "a link out of its directory"},
	{"run -shaders fifo", "not a regular file"},
	{"run -config /dev/zero -shaders linked", "not a regular file"},
	{"run -shaders deep", "directories lie more than 100 deep in each other"},
	{"run -shaders pattern", "choices, repetitions spelt out"},
	{"run -shaders many -require names.txt", "names.txt:21: further names are not looked at"},
	{"run -shard 1/99999999999999999999", "-shard"},
	{"run -run (((a{100}){10}){10}){10}", "-run"},
	{"report long", "more than"},
	{"report results", "escapes"},
	{"compare results long", "escapes"},
	{"report part", "escapes"},
}

// hostileFiles writes them into the working directory, and a secret beside it.
func hostileFiles(t testing.TB) {
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	const header = "#include <metal_stdlib>\nusing namespace metal;\n"
	for name, text := range map[string]string{
		"../secret": "SECRET",
		"arrays/k.metal": header + "kernel void k(device float* y, uint i [[thread_position_in_grid]]) { float " +
			"a[1 << 24]; a[i] = 1; y[i] = a[i]; }\n",
		"branches.metal": header + "kernel void k(device int* y, uint i [[thread_position_in_grid]]) { int " +
			"s = y[i];" + strings.Repeat(" if (s > 1) { s -= y[i]; }", 3000) + " y[i] = s; }\n",
		"local.metal": header + "kernel void k(device float* y, threadgroup float* s, uint i " +
			"[[thread_position_in_grid]]) { s[i] = 1; y[i] = s[i]; }\n",
		"loop.metal": header + "kernel void k(device float* y, uint i [[thread_position_in_grid]]) { while " +
			"(y[0] >= 0) { y[i] += 1; } }\n",
		"chain.metal": header + "template<int N> int f() { return f<N + 1>()" + strings.Repeat(" + 1", 4900) +
			"; }\ntemplate<> int f<250>() { return 1; }\nkernel void k(device int* y) { y[0] = f<0>(); }\n",
		"calls.metal": header + nested(60, 2000),
		"constant.metal": header + "struct S { int a[4096]; };\nconstexpr S g(S s) { s.a[0]++; return s; }\n" +
			"constexpr int f() { S s = {}; for (int i = 0; i < 40000; i++) { s = g(s); } return s.a[0]; }\n" +
			"constant int x = f();\nkernel void k(device int* y) { y[0] = x; }\n",
		"include/k.metal":      "#include \"../../secret\"\n",
		"linked/k.metal":       header + "kernel void residual_add(device float* y) { y[0] = 1; }\n",
		"config/k.metal":       header,
		"fifo/k.metal":         header,
		"pattern/k.metal":      header,
		"pattern/conform.toml": "[[absent]]\nkernel = \"(.?){999}x\"\nreason = \"x\"\nexpires = 2026-12-01\n",
		"many/1.metal":         header,
		"many/2.metal":         header,
		"many/large.h":         "//" + strings.Repeat("x", 1<<20),
		"wide/1.metal":         "#include \"large.h\"\n",
		"wide/large.h":         "//" + strings.Repeat("x", 1<<20),
		"deep/" + strings.Repeat("d/", 200) + "k.metal": header,
		"spec/case.star": "def f(a):\n    return a + 1\n\n" +
			"kernel(name = \"k\", args = [input(\"a\", f32, \"n\"), output(\"y\", f32, \"n\")], threads = [\"n\"], " +
			"threads_per_threadgroup = 64, base = {\"n\": 64}, oracle = f)\n",
		"names.txt":          strings.Repeat("residual_ad\n", 300_000),
		"long/results.jsonl": `{"schema":"` + strings.Repeat("a", 40<<20),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"linked/x.metal": "../../secret", "config/conform.toml": "../../secret",
		"results/results.jsonl": "../../secret", "part/results.partial.jsonl": "../../secret"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo/conform.toml"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// They are refused in a line, before they cost anything, and show nothing of what lies outside.
func TestHostileInput(t *testing.T) {
	hostileFiles(t)
	for _, test := range hostileCommands {
		var out strings.Builder
		if status := conform(t.Context(), strings.Fields(test.args), &out, &out); status == exit.Conforms {
			t.Errorf("%s: status 0", test.args)
		}
		if !strings.Contains(out.String(), test.want) || strings.Contains(out.String(), "SECRET") {
			t.Errorf("%s: got %.300q, want %q", test.args, out.String(), test.want)
		}
	}
}

// BenchmarkHostile says what the dearest of these commands takes, and of those that read the hostile sources of
// package metalrun, each in a process of its own: no more than two seconds of processors and 500 MB.
func BenchmarkHostile(b *testing.B) {
	sources, err := filepath.Abs(filepath.Join("..", "..", "metalrun", "testdata", "hostile"))
	if err != nil {
		b.Fatal(err)
	}
	hostileFiles(b)
	if err := os.CopyFS("sources", os.DirFS(sources)); err != nil {
		b.Fatal(err)
	}
	var commands []string
	for _, test := range hostileCommands {
		commands = append(commands, test.args)
	}
	names, err := filepath.Glob("sources/*.metal")
	if err != nil || len(names) == 0 {
		b.Fatal(names, err)
	}
	for _, name := range names {
		commands = append(commands, "check "+name, "check -exec "+name, "new "+name)
	}
	for b.Loop() {
		var seconds, megabytes float64
		var slowest, largest string
		for _, args := range commands {
			c := exec.CommandContext(b.Context(), "conform", strings.Fields(args)...)
			c.Run() // most exit with 1
			usage := c.ProcessState.SysUsage().(*syscall.Rusage)
			if s := (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(); s > seconds {
				seconds, slowest = s, args
			}
			if m := float64(usage.Maxrss) / maxrssPerMegabyte(); m > megabytes {
				megabytes, largest = m, args
			}
		}
		b.ReportMetric(float64(len(commands)), "commands")
		b.ReportMetric(seconds, "most-CPU-s")
		b.ReportMetric(megabytes, "most-MB")
		b.Logf("most seconds: %s; most memory: %s", slowest, largest)
	}
}

// maxrssPerMegabyte is in kibibytes on Linux, in bytes on macOS.
func maxrssPerMegabyte() float64 {
	if runtime.GOOS == "darwin" {
		return 1e6
	}
	return 1e6 / 1024
}

// nested is a kernel that calls n functions in each other, each in an expression with as many operators as that.
func nested(n, operators int) string {
	var b strings.Builder
	b.WriteString("int f0(int x) { return x; }\n")
	for i := range n {
		fmt.Fprintf(&b, "int f%d(int x) { return f%d(x)%s; }\n", i+1, i, strings.Repeat(" + 1", operators))
	}
	fmt.Fprintf(&b, "kernel void k(device int* y) { y[0] = f%d(y[1]); }\n", n)
	return b.String()
}

// What the launches of a file take is bounded together: kernels that are left are named by the first, and those before
// are launched, whatever becomes of them. All kernels of the file are alike, so that each takes a share of the budget.
func TestLaunchesOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	const kernels = 40
	write := func(name string, n int) {
		var text strings.Builder
		text.WriteString("#include <metal_stdlib>\nusing namespace metal;\n")
		for i := range n {
			fmt.Fprintf(&text, "kernel void k%d(device float* y) { while (y[0] >= 0) { y[0] += 1; } }\n", i)
		}
		if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("two.metal", 2)
	write("k.metal", kernels)
	ran := func(file string, budget int) (launched int, said string) {
		var out strings.Builder
		args := fmt.Sprintf("check -exec -launch-steps 1000 -launch-budget %d %s", budget, file)
		if status := conform(t.Context(), strings.Fields(args), &out, &out); status != exit.Fails {
			t.Errorf("%s: status %d", args, status)
		}
		return strings.Count(out.String(), "which -launch-steps can raise"), out.String()
	}
	// The second kernel is launched if the first leaves something.
	share := sort.Search(1<<22, func(n int) bool {
		_, said := ran("two.metal", n+1)
		return !strings.Contains(said, "-launch-budget can raise")
	})
	for _, launched := range []int{1, 17, kernels - 1} {
		budget := launched * share
		n, said := ran("k.metal", budget)
		want := fmt.Sprintf("k.metal:%d:1: launch: the launches of this file have taken the %d steps that they may, "+
			"which -launch-budget can raise: not launched from here on: ", launched+3, budget)
		if n != launched || !strings.Contains(said, want) {
			t.Errorf("a budget of %d kernels: %d were launched, want %d:\n%.600s", launched, n, launched, said)
		}
	}
	if n, _ := ran("k.metal", kernels*share); n != kernels {
		t.Errorf("with more to spend %d launches ran away, want %d", n, kernels)
	}
}

// Namespaces that use each other are looked at once in a search, and what searches look at is counted.
func TestHostileNames(t *testing.T) {
	t.Chdir(t.TempDir())
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "namespace n%d { int v%[1]d(int a) { return a; } }\nusing namespace n%[1]d;\n", i)
	}
	var defaults strings.Builder
	defaults.WriteString("#include <metal_stdlib>\nusing namespace metal;\n")
	for i := range 300 {
		fmt.Fprintf(&defaults,
			"template<class T, class U = enable_if_t<sizeof(T) == %d>> void f(T a, int (*b)[%[1]d] = nullptr);\n",
			i+100)
	}
	defaults.WriteString("kernel void k(device int* y) {" + strings.Repeat(" f(y[0]);", 20) + " }\n")
	for name, text := range map[string]string{
		"defaults.metal": defaults.String(),
		"cycle.metal": "namespace a {}\nnamespace b {}\nnamespace a { using namespace b; }\n" +
			"namespace b { using namespace a; }\nkernel void k(device int* y) { y[0] = a::x; }\n",
		"many.metal": many.String(),
		"steps.metal": "constexpr int f() { int s = 0; for (int i = 0; i < 30000; i++) { s ^= i; } return s; }\n" +
			"constant int x = f();\n",
		"named.star": `kernel(name = "a\n::error::x", args = [], base = {})`,
		"many.star": `kernel(name = "k", args = [output("y%d" % i, f32, "n") for i in range(300)], base = ` +
			`{"n": 1})`,
		"kernels.star": `[kernel(name = "k%d" % i, args = [output("y", f32, "n")], threadgroups = 1, ` +
			`threads_per_threadgroup = 8, base = {"n": 8}, oracle = lambda: ones(8)) for i in range(5000)]`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"check cycle.metal":                           "no member named 'x' in 'a'",
		"check -compile-budget 1000000 many.metal":    "which -compile-budget can raise",
		"check -compile-budget 200000 defaults.metal": "which -compile-budget can raise",
		"check -compile-budget 90000 steps.metal":     "which -compile-budget can raise",
		"spec check named.star":                       `got the name "a\n::error::x"`,
		"spec check kernels.star":                     "4096 are specified already",
		"spec check many.star":                        "300 arguments: at most 256",
	} {
		var out strings.Builder
		if status := conform(t.Context(), strings.Fields(args), &out, &out); status == exit.Conforms ||
			!strings.Contains(out.String(), want) || strings.Contains(out.String(), "\n::error::") {
			t.Errorf("%s: status %d, got %.300q, want %q", args, status, out.String(), want)
		}
	}
}

// A point whose buffers no definition takes is refused before they are drawn.
func TestLargePoints(t *testing.T) {
	t.Chdir(t.TempDir())
	const kernel = `kernel(name = "k", args = [input("x", f32, "n"), output("y", f32, "n")], threads = "n", ` +
		`threads_per_threadgroup = 32, base = {"n": 1 << 26}, oracle = lambda x: x)`
	for name, text := range map[string]string{
		"k.star": kernel,
		"k.metal": "kernel void k(device const float* x, device float* y, uint i [[thread_position_in_grid]]) { y[i] " +
			"= x[i]; }\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	const want = "k/n=67108864/input=normal holds about 4294967296 bytes"
	if status := conform(t.Context(), strings.Fields("run -spec k.star -shaders ."), &out, &out); status !=
		exit.Usage || !strings.Contains(out.String(), want) {
		t.Errorf("status %d, got %.300q, want %q", status, out.String(), want)
	}
}
