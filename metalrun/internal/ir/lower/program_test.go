package lower_test

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

var update = flag.Bool("update", false, "write golden files instead of comparing them")

// check gives the typed tree of a source text.
func check(t testing.TB, name, text string) *hir.Program {
	t.Helper()
	file, errs := syntax.Parse(name, map[string]string{name: text}, syntax.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	program, errs := types.Check(file, types.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return program
}

// translated translates and verifies all kernels of a source text.
func translated(t testing.TB, name, text string) []*ir.Kernel {
	t.Helper()
	var kernels []*ir.Kernel
	for _, fn := range check(t, name, text).Kernels {
		k, err := lower.Lower(fn)
		if err != nil {
			t.Fatal(err)
		}
		if err := ir.Verify(k); err != nil {
			t.Fatalf("%v\n%s", err, k)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// sources lists the files that match a pattern.
func sources(t testing.TB, patterns ...string) []string {
	t.Helper()
	var list []string
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, files...)
	}
	return list
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestLowerGolden compares the printed form of testdata/*.metal with the .ir
// file beside each.
func TestLowerGolden(t *testing.T) {
	for _, path := range sources(t, "testdata/*.metal") {
		name := strings.TrimSuffix(filepath.Base(path), ".metal")
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, k := range translated(t, filepath.Base(path), read(t, path)) {
				if err := ir.Fprint(&b, k); err != nil {
					t.Fatal(err)
				}
			}
			golden := strings.TrimSuffix(path, ".metal") + ".ir"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(strings.Split(read(t, golden), "\n"), strings.Split(b.String(), "\n")); diff != "" {
				t.Errorf("%s (-want +got; go test -update writes it):\n%s", golden, diff)
			}
		})
	}
}

// TestLowerEverything lowers and verifies all programs of the repository.
func TestLowerEverything(t *testing.T) {
	files := sources(t, "../../../../shaders/*.metal", "../../types/testdata/ok/*.metal",
		"../../types/testdata/ok/*/*.metal", "../../types/testdata/good/*.metal", "../../simt/testdata/*.metal",
		"../../simt/testdata/*/*.metal")
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) { translated(t, path, read(t, path)) })
	}
}

// expectation is what a kernel of testdata/run has to write to its buffer 0.
type expectation struct {
	kernel  string
	threads int
	inputs  map[int][]byte
	want    []string
}

// expectations reads the comments above the kernels of a file: "//=" lists the
// values, "//in n" the 32-bit words of buffer n, "//threads" the number of
// threads of the one threadgroup, 1 if absent.
func expectations(t *testing.T, text string) []expectation {
	t.Helper()
	var list []expectation
	fresh := func() expectation { return expectation{threads: 1, inputs: map[int][]byte{}} }
	next := fresh()
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		line := s.Text()
		if values, ok := strings.CutPrefix(line, "//="); ok {
			next.want = strings.Fields(values)
		}
		if n, ok := strings.CutPrefix(line, "//threads "); ok {
			next.threads, _ = strconv.Atoi(n)
		}
		if rest, ok := strings.CutPrefix(line, "kernel void "); ok && next.want != nil {
			next.kernel, _, _ = strings.Cut(rest, "(")
			list = append(list, next)
			next = fresh()
		}
		if values, ok := strings.CutPrefix(line, "//in "); ok {
			index, words, _ := strings.Cut(values, " ")
			n, _ := strconv.Atoi(index)
			for _, w := range strings.Fields(words) {
				v, _ := strconv.ParseUint(w, 0, 32)
				next.inputs[n] = binary.LittleEndian.AppendUint32(next.inputs[n], uint32(v))
			}
		}
	}
	if len(list) == 0 {
		t.Fatal("no kernel states what it writes")
	}
	return list
}

// format is one element of a buffer as text.
var formats = map[string]struct {
	size int
	text func(b []byte) string
}{
	"int":        {4, func(b []byte) string { return strconv.Itoa(int(int32(binary.LittleEndian.Uint32(b)))) }},
	"atomic_int": {4, func(b []byte) string { return strconv.Itoa(int(int32(binary.LittleEndian.Uint32(b)))) }},
	"uint":       {4, func(b []byte) string { return strconv.FormatUint(uint64(binary.LittleEndian.Uint32(b)), 10) }},
	"long":       {8, func(b []byte) string { return strconv.FormatInt(int64(binary.LittleEndian.Uint64(b)), 10) }},
	"float": {4, func(b []byte) string {
		f := math.Float32frombits(binary.LittleEndian.Uint32(b))
		return strconv.FormatFloat(float64(f), 'g', -1, 32)
	}},
}

// TestLowerMeaning evaluates the programs of testdata/run.
func TestLowerMeaning(t *testing.T) {
	for _, path := range sources(t, "testdata/run/*.metal") {
		text := read(t, path)
		kernels := map[string]*ir.Kernel{}
		for _, k := range translated(t, filepath.Base(path), text) {
			kernels[k.Name] = k
		}
		for _, e := range expectations(t, text) {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".metal")+"/"+e.kernel, func(t *testing.T) {
				k := kernels[e.kernel]
				got, err := evaluate(k, e)
				if err != nil {
					t.Fatalf("%v\n%s", err, k)
				}
				if diff := cmp.Diff(e.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s\n%s", e.kernel, diff, k)
				}
			})
		}
	}
}

func evaluate(k *ir.Kernel, e expectation) ([]string, error) {
	f, ok := formats[k.Args[0].Type]
	if !ok {
		return nil, fmt.Errorf("no format for a buffer of %s", k.Args[0].Type)
	}
	out := make([]byte, len(e.want)*f.size)
	e.inputs[0] = out
	err := eval.Run(k, eval.Launch{
		Threads: [3]int{e.threads, 1, 1}, ThreadsPerThreadgroup: [3]int{e.threads, 1, 1}, Buffers: e.inputs,
	})
	got := make([]string, len(e.want))
	for i := range got {
		got[i] = f.text(out[i*f.size:][:f.size])
	}
	return got, err
}
