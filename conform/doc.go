// Package conform judges Metal compute kernels of other modules: by specifications in Go, which are
// made here, or in Starlark, which are read here. [metalconform/conform/conformtest] runs them under go test.
//
// A [Kernel] says what an entry point takes, how it is launched, at which points it is judged, and
// what it has to compute: a definition in float64 without a tolerance. Kernels are executed in exact
// arithmetic beside their values, which tells another formula from rounding; a definition
// may give bounds of its own instead, put together by [Bounds].
//
// The rule of the layer: it is what other modules may rely on. Names and meanings here stay. It adds no rules of judgement;
// the types that it names are those of packages behind it, as far as their fields and methods are documented.
package conform
