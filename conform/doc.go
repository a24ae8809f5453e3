// Package conform judges Metal compute kernels of other modules: by specifications in Go, which are
// made here, or in Starlark, which are read here. [metalconform/conform/conformtest] runs them under go test.
//
//	conform.Kernel{
//		Name: "softmax_rows",
//		Args: []conform.Arg{
//			conform.In("scores", conform.F32, "rows", "n"),
//			conform.Out("weights", conform.F32, "rows", "n"),
//			conform.Const("n", conform.U32, "n"),
//		},
//		Threadgroups: conform.Sizes{"rows"}, ThreadsPerThreadgroup: conform.Sizes{32},
//		Base:         conform.Shape{"rows": 3, "n": 77},
//		Vary:         conform.Points{"rows": {1, 5}, "n": {1, 31, 32, 33, 1000}},
//		Formula:      "softmax(scores)",
//	}
//
// A [Kernel] says what an entry point takes, how it is launched, at which points it is judged, and what it has to
// compute: a definition in float64 without a tolerance, as a formula or as a function in Go. Kernels are executed in
// exact arithmetic beside their values, which tells another formula from rounding; a definition may give bounds of its
// own instead, put together by [Bounds].
//
// A program can say everything that a file can, and it means the same. Lengths and numbers that depend on the point of
// the sweep are expressions over axes in strings, or functions.
//
// The rule of the layer: other modules rely on this package, so names and meanings here stay. It adds no rules of
// judgement. Its types are those of packages below it, as far as their fields and methods are documented.
package conform
