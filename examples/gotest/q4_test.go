package kernels

import (
	"os"
	"testing"

	"metalconform/conform"
	"metalconform/conform/conformtest"
)

func TestQ4Matvec(t *testing.T) {
	conformtest.Run(t, os.DirFS("shaders"), conform.Kernel{
		Name: "q4_matvec",
		Args: []conform.Arg{
			conform.In("w", conform.U32, "rows", "n // 8"), conform.In("scale", conform.F16, "rows", "n // 64"),
			conform.In("offset", conform.F16, "rows", "n // 64"),
			conform.In("x", conform.F32, "n"), conform.Out("y", conform.F32, "rows"),
			conform.Const("n", conform.U32, "n"),
		},
		Threadgroups:          conform.Sizes{"rows"},
		ThreadsPerThreadgroup: conform.Sizes{32},
		Base:                  conform.Shape{"rows": 3, "n": 128},
		Vary:                  conform.Points{"rows": {1, 9}, "n": {64, 576}},
		Formula: `(reshape(bits(w[:, :, None], arange(0, 32, 4), 4), [rows, n]) * repeat(scale, 64, axis = 1) +
			repeat(offset, 64, axis = 1)) @ x`,
	})
}
