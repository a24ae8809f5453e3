package spec_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// Lengths are shown as a specification has them, and those that make no sense say what to write.
func TestExtents(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"f.star": {Data: []byte(`def half(n):
    return n // 2
kernel(
    name = "f", args = [input("x", f32, "rows", "n // 32", 18), output("y", f32, lambda n: 2 ** (n
        // 64), "n / 3"), output("z", f32, half, strides = [lambda n: n + 1])],
    threads = "n", threads_per_threadgroup = 32, base = {"rows": 2, "n": 64}, oracle = lambda x: 0,
)`)}}, "f.star")
	if err != nil {
		t.Fatal(err)
	}
	args := family.Kernels[0].Args
	for i, want := range []string{"[rows n // 32 18]", "[2 ** (n // 64) n / 3]", "[half(n) by n + 1]"} {
		if got := fmt.Sprint(args[i].Extents); got != want {
			t.Errorf("%s has %s, want %s", args[i].Name, got, want)
		}
	}
	defer func() {
		if got := fmt.Sprint(recover()); got != "f.star:4:71: extent 1 of y: 21.333333333333332 is not a length: // "+
			"divides integers, as in (n + 31) // 32" {
			t.Errorf("a length of 64/3: %s", got)
		}
	}()
	args[1].Extents[1].Size(suite.Shape{"n": 64, "rows": 2})
}
