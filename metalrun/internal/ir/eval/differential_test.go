package eval_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
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
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, seed) })
}

func agree(t *testing.T, seed uint64) {
	t.Helper()
	text := eval.RandomKernel(seed)
	k := lowerKernel(t, text)
	want := runEval(t, k, seed)
	got := runSimt(t, k, seed)
	if i := firstDifference(want, got); i >= 0 {
		t.Fatalf("seed %d: word %d of thread %d: the executor gives %#x, the definition %#x\n%s\n%s", seed, i%eval.RandomOutputs, i/eval.RandomOutputs,
			word(got, i), word(want, i), text, k)
	}
}

func lowerKernel(t *testing.T, text string) *ir.Kernel {
	t.Helper()
	file, errs := syntax.Parse("random.metal", map[string]string{"random.metal": text}, syntax.Config{})
	if len(errs) > 0 {
		t.Fatalf("%v\n%s", errs, text)
	}
	program, errs := types.Check(file, types.Config{})
	if len(errs) > 0 {
		t.Fatalf("%v\n%s", errs, text)
	}
	k, err := ir.Lower(program.Kernels[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := ir.Verify(k); err != nil {
		t.Fatalf("%v\n%s\n%s", err, text, k)
	}
	return k
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
