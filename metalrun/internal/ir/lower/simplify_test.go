package lower_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/ir/lower"
)

// TestSimplifyKeepsMeaning evaluates random programs as they are translated and
// as simplify leaves them.
func TestSimplifyKeepsMeaning(t *testing.T) {
	n := uint64(50)
	if testing.Short() {
		n = 30
	}
	for seed := range n {
		text := eval.RandomKernel(seed)
		fn := check(t, "random.metal", text).Kernels[0]
		plain, err := lower.Translate(fn)
		if err != nil {
			t.Fatal(err)
		}
		if err := ir.Verify(plain); err != nil {
			t.Fatalf("%v\n%s", err, plain)
		}
		simple, err := lower.Lower(fn)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(runRandom(t, plain), runRandom(t, simple)); diff != "" {
			t.Fatalf("seed %d (-translated +simplified):\n%s\n%s\n%s\n%s", seed, diff, text, plain, simple)
		}
	}
}

func runRandom(t *testing.T, k *ir.Kernel) []byte {
	t.Helper()
	const threads = 4
	out, in := make([]byte, threads*eval.RandomOutputs*4), make([]byte, 64*4)
	for i := range in {
		in[i] = byte(i * i * 31)
	}
	err := eval.Run(k, eval.Launch{Threads: [3]int{threads, 1, 1}, ThreadsPerThreadgroup: [3]int{threads, 1, 1},
		Buffers: map[int][]byte{0: out, 1: in}})
	if err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	return out
}
