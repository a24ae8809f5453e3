package kernels

import (
	"os"
	"testing"

	"metalconform/conform"
	"metalconform/conform/conformtest"
)

func TestSoftmax(t *testing.T) {
	conformtest.Run(t, os.DirFS("shaders"), conform.Kernel{
		Name: "softmax_rows",
		Args: []conform.Arg{conform.In("scores", conform.F32, "rows", "n"),
			conform.Out("weights", conform.F32, "rows", "n"), conform.Const("n", conform.U32, "n")},
		Threadgroups:          conform.Sizes{"rows"},
		ThreadsPerThreadgroup: conform.Sizes{32},
		Base:                  conform.Shape{"rows": 3, "n": 77},
		Vary:                  conform.Points{"rows": {1, 5}, "n": {1, 31, 32, 33, 1000}},
		Formula:               "softmax(scores)",
	})
}
