package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
)

// Every reader of the command has limits, and says in one line which of them a file exceeds. Files that are too
// large have no bytes: whoever would read them first would take minutes.
func TestLimitsOfReaders(t *testing.T) {
	header, err := os.ReadFile(filepath.Join("..", "..", "reports", "testdata", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	first, _, _ := strings.Cut(string(header), "\n")
	const kernel = "#include <metal_stdlib>\nkernel void k(device float* y [[buffer(0)]]) { y[0] = 1; }\n"
	const star = `kernel(name = "k", args = [output("y", f32, "n")], threadgroups = 1, threads_per_threadgroup = 1, ` +
		`base = {"n": 1}, oracle = lambda: ones(1))` + "\n"
	for name, text := range map[string]string{
		"k.metal":            kernel,
		"k.star":             star,
		"deep.metal":         "kernel void k() { " + strings.Repeat("{", 300) + strings.Repeat("}", 300) + " }\n",
		"deep/k.metal":       kernel,
		"deep/conform.toml":  "a = " + strings.Repeat("[", 20000) + "\n",
		"many/k.metal":       kernel,
		"many/conform.toml":  strings.Repeat("[[absent]]\n", 1000),
		"lines/k.metal":      kernel,
		"lines/conform.toml": strings.Repeat("[a]\n", 20000),
		"large/k.metal":      kernel,
		"deep.star":          "x = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n",
		"long.star":          "def f():\n    for i in range(100000000):\n        pass\nf()\n",
		"wide.star":          "x = [0] * (1 << 40)\n",
		"memory/many.jsonl": first + "\n" + `{"case":"c","kernel":"k","status":"pass","findings":[` +
			strings.Repeat("{},", 4000) + "{}]}\n",
		"memory/line.jsonl": first + "\n" + strings.Repeat("x", 33<<20),
		"memory/deep.jsonl": first + "\n" + `{"case":` + strings.Repeat("[", 20000) + "\n{}\n",
		"small/device.json": strings.Repeat("[", 100000),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, size := range map[string]int64{
		"large.metal": regular.Source + 1, "large/conform.toml": regular.Config + 1, "large.star": 1<<20 + 1,
		"large.jsonl": regular.Results + 1, "large.json": regular.Source + 1,
		"large.history/large.jsonl.gz": 32<<20 + 1, "large.txt": regular.Text + 1,
		"mutants.jsonl": regular.Results + 1,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(name)
		if err == nil {
			err = file.Truncate(size)
			file.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct{ reader, args, want string }{
		{"source: size", "check large.metal", fmt.Sprintf("want at most %d", regular.Source)},
		{"source: depth", "check deep.metal", "-compile-limit nesting=N"},
		{"declarations: size", "run -shaders large", fmt.Sprintf("want at most %d", regular.Config)},
		{"declarations: depth", "run -shaders deep", "nest"},
		{"declarations: lines", "run -shaders lines", "want at most 8192"},
		{"declarations: mistakes", "run -shaders many", "mistakes more"},
		{"specification: size", "spec check large.star", "want at most 1048576"},
		{"specification: depth", "spec check deep.star", "nest"},
		{"specification: steps", "spec check long.star", "steps"},
		{"specification: memory", "spec check wide.star", "67108864 bytes"},
		{"launch: size", "check -exec -launch large.star k.metal", "want at most 1048576"},
		{"results: size", "report large.jsonl", fmt.Sprintf("want at most %d", regular.Results)},
		{"results: line", "report memory/line.jsonl", "a line has more than 33554432 bytes"},
		{"results: depth", "report memory/deep.jsonl", "damaged"},
		{"results: memory", "report -results-memory 1 memory/many.jsonl",
			"memory/many.jsonl:2: results of more than 1 MiB in memory, which -results-memory can raise"},
		{"results: memory, compared", "compare -results-memory 1 memory/many.jsonl memory/many.jsonl",
			"-results-memory can raise"},
		{"results: memory, served", "open -browser=false -results-memory 1 memory/many.jsonl",
			"-results-memory can raise"},
		{"results: memory, kept", "history add -results-memory 1 nights memory/many.jsonl",
			"-results-memory can raise"},
		{"results: memory, baseline", "run -catalogue -run none -results-memory 1 -baseline memory/many.jsonl",
			"-results-memory can raise"},
		{"mutants: size", "report -report html=site -mutants mutants.jsonl memory/many.jsonl",
			fmt.Sprintf("want at most %d", regular.Results)},
		{"history: size", "history list large.history", "want at most 33554432"},
		{"names: size", "run -catalogue -require large.txt", fmt.Sprintf("want at most %d", regular.Text)},
		{"device of a forecast: size", "bench -forecast large.json", fmt.Sprintf("want at most %d", regular.Source)},
		{"device of a forecast: depth", "bench -forecast small/device.json", "depth"},
	} {
		var out strings.Builder
		status := conform(t.Context(), strings.Fields(row.args), &out, &out)
		if text := out.String(); status == exit.Conforms || !strings.Contains(text, row.want) || len(text) > 4096 ||
			strings.Contains(text, "goroutine") {
			t.Errorf("%s: %s: status %d, got %.400q, want %q", row.reader, row.args, status, text, row.want)
		}
	}
}
