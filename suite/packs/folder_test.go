package packs

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/suite/spec"
)

// TestBeside: a specification of somebody else uses the functions of a pack, and does not get its kernels.
func TestBeside(t *testing.T) {
	const kernel = `kernel(name = "own", base = {"n": 5}, threads = "n", threads_per_threadgroup = 32,
	args = [input("x", f32, "n"), output("y", f32, "n")], oracle = lambda x: x * row_threads(3, 1))`
	for _, test := range []struct{ text, want string }{
		{`load("@ggml//moves.star", "row_threads")` + "\n" + kernel, ""},
		{`load("@ggml//moves.star", "nothing_such")` + "\n", "nothing_such not found"},
		{`load("@ggm//moves.star", "row_threads")` + "\n" + kernel, "file does not exist"},
		{`load("@ggml//../../moves.star", "row_threads")` + "\n" + kernel, "file does not exist"},
		{`load("@ggml//../../../moves.star", "row_threads")` + "\n" + kernel, "a file of a pack"},
		{`load("@ggml/moves.star", "row_threads")` + "\n" + kernel, "file does not exist"},
	} {
		f, err := new(spec.Limits).Read(Beside(fstest.MapFS{"mine.star": {Data: []byte(test.text)}}), "mine.star")
		switch {
		case test.want == "" && (err != nil || len(f.Kernels) != 1 || f.Kernels[0].Name != "own"):
			t.Errorf("%s\n%d kernels, %v", test.text, len(f.Kernels), err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s\n%v, want %q", test.text, err, test.want)
		}
	}
}
