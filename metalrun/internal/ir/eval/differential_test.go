package eval_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

const threads = 40 // more than a simdgroup, and the last one is not full

// TestExecutorAgrees runs random programs by definition and by the executor.
func TestExecutorAgrees(t *testing.T) {
	n := uint64(150)
	if testing.Short() {
		n = 40
	}
	for seed := range n {
		agree(t, seed)
	}
}

// FuzzExecutor is TestExecutorAgrees for any seed.
func FuzzExecutor(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(228)) // a deferred value whose operand another instruction reads last
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, seed) })
}

func agree(t *testing.T, seed uint64) {
	t.Helper()
	text := eval.RandomKernel(seed)
	k := lowerKernel(t, text)
	want := runEval(t, k, seed)
	got := runSimt(t, k, seed)
	if i := firstDifference(want, got); i >= 0 {
		t.Fatalf("seed %d: word %d of thread %d: the executor gives %#x, the definition %#x\n%s\n%s", seed,
			i%eval.RandomOutputs, i/eval.RandomOutputs,
			word(got, i), word(want, i), text, k)
	}
	got, findings := runChecked(t, k, seed)
	if i := firstDifference(want, got); i >= 0 {
		t.Fatalf("seed %d: word %d of thread %d: under checks the executor gives %#x, the definition %#x\n%s\n%s", seed,
			i%eval.RandomOutputs, i/eval.RandomOutputs,
			word(got, i), word(want, i), text, k)
	}
	for _, f := range findings {
		if f.Check == simt.Undefined {
			continue // arithmetic is drawn by lot, and may leave the range of an integer
		}
		t.Errorf("seed %d: %s: %s: %s\n%s", seed, f.Pos, f.Check, f.Msg, text)
	}
}

// TestExecutorAgreesOnPrograms runs the programs of ../lower/testdata/run both ways,
// each kernel with as many threads as the comment above it says.
func TestExecutorAgreesOnPrograms(t *testing.T) {
	paths, err := filepath.Glob("../lower/testdata/run/*.metal")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range lowerKernels(t, string(text)) {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".metal")+"/"+k.Name, func(t *testing.T) {
				n := threadsOf(string(text), k.Name)
				want, wantErr := evalBuffers(k, n)
				got, gotErr := simtBuffers(k, n)
				if wantErr != nil || gotErr != nil {
					t.Fatalf("the definition fails with %v, the executor with %v", wantErr, gotErr)
				}
				if i := firstDifference(want, got); i >= 0 {
					t.Errorf("word %d: the executor gives %#x, the definition %#x\n%s", i, word(got, i),
						word(want, i), k)
				}
			})
		}
	}
}

// threadsOf finds "//threads n" among the comments above a kernel.
func threadsOf(text, kernel string) int {
	n := 1
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(line, "//threads "); ok {
			n, _ = strconv.Atoi(strings.TrimSpace(v))
		}
		if rest, ok := strings.CutPrefix(line, "kernel void "); ok {
			if name, _, _ := strings.Cut(rest, "("); name == kernel {
				return n
			}
			n = 1
		}
	}
	return n
}

// buffers are what every program may bind: an output and two inputs of small numbers.
func buffers() [3][]byte {
	var b [3][]byte
	for i := range b {
		b[i] = make([]byte, 4096)
		for j := 0; i > 0 && j < len(b[i]); j += 4 {
			b[i][j] = byte(j/4*7) % 5
		}
	}
	return b
}

func evalBuffers(k *ir.Kernel, n int) ([]byte, error) {
	b := buffers()
	err := eval.Run(k, eval.Launch{Threads: [3]int{n, 1, 1}, ThreadsPerThreadgroup: [3]int{n, 1, 1},
		Buffers: map[int][]byte{0: b[0], 1: b[1], 2: b[2]}})
	return b[0], err
}

func simtBuffers(k *ir.Kernel, n int) ([]byte, error) {
	b := buffers()
	err := simt.Compile(k, simt.Options{Workers: 1}).Run(simt.Launch{Threads: simt.Size{n, 1, 1},
		PerGroup: simt.Size{n, 1, 1},
		Buffers:  []simt.Buffer{{Index: 0, Bytes: b[0]}, {Index: 1, Bytes: b[1]}, {Index: 2, Bytes: b[2]}}})
	return b[0], err
}

func lowerKernel(t *testing.T, text string) *ir.Kernel { return lowerKernels(t, text)[0] }

func lowerKernels(t *testing.T, text string) (kernels []*ir.Kernel) {
	t.Helper()
	file, errs := syntax.Parse("random.metal", map[string]string{"random.metal": text}, syntax.Config{})
	if len(errs) > 0 {
		t.Fatalf("%v\n%s", errs, text)
	}
	program, errs := types.Check(file, types.Config{})
	if len(errs) > 0 {
		t.Fatalf("%v\n%s", errs, text)
	}
	for _, fn := range program.Kernels {
		k, err := lower.Lower(fn)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := ir.Verify(k); err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, k)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

func input(seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 2))
	b := make([]byte, 64*4)
	for i := range 64 {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(rng.IntN(2000)-1000))
	}
	return b
}

func runEval(t *testing.T, k *ir.Kernel, seed uint64) []byte {
	t.Helper()
	out := make([]byte, threads*eval.RandomOutputs*4)
	err := eval.Run(k, eval.Launch{Threads: [3]int{threads, 1, 1}, ThreadsPerThreadgroup: [3]int{threads, 1, 1},
		Buffers: map[int][]byte{0: out, 1: input(seed)}})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, k)
	}
	return out
}

func runSimt(t *testing.T, k *ir.Kernel, seed uint64) []byte {
	t.Helper()
	out := make([]byte, threads*eval.RandomOutputs*4)
	err := simt.Compile(k, simt.Options{Workers: 1}).Run(simt.Launch{
		Threads: simt.Size{threads, 1, 1}, PerGroup: simt.Size{threads, 1, 1},
		Buffers: []simt.Buffer{{Index: 0, Bytes: out}, {Index: 1, Bytes: input(seed)}},
	})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, k)
	}
	return out
}

// runChecked is runSimt with every check.
func runChecked(t *testing.T, k *ir.Kernel, seed uint64) ([]byte, []simt.Finding) {
	t.Helper()
	out := make([]byte, threads*eval.RandomOutputs*4)
	findings, err := simt.Compile(k, simt.Options{Workers: 1, Check: true}).Check(simt.Launch{
		Threads: simt.Size{threads, 1, 1}, PerGroup: simt.Size{threads, 1, 1},
		Buffers: []simt.Buffer{{Index: 0, Bytes: out}, {Index: 1, Bytes: input(seed), ReadOnly: true}},
	})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, k)
	}
	return out, findings
}

func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range len(a) / 4 {
		if word(a, i) != word(b, i) {
			return i
		}
	}
	return -1
}

func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
