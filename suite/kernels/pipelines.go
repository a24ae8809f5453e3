package kernels

import (
	"maps"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite"
)

// Pipelines of kernels: pairs that must give the same bits, invariants that hold between
// results, and pipelines from end to end.
func pipelines() []suite.Pipeline {
	return slices.Concat(quantPipelines(), attentionPipelines(), mlaPipelines(), deltaNetPipelines(), moePipelines(),
		kvQuantPipelines())
}

// equalBits limits pipelines in which two kernels have to give the same bits.
var equalBits = &suite.MathLimit{Loosest: metalrun.MathSafe,
	Why: "the two kernels have to give the same bits, and the compiler may evaluate a sum of each in an order " +
		"of its own"}

// renamed binds arguments to buffers: argument, buffer, argument, buffer …
//
//go:noinline
func renamed(pairs ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// row is element range i of a buffer of rows of n elements.
func row(i, n int) suite.Range { return rowsOf(i, 1, n) }

// rowsOf are count rows of n elements from row first on.
func rowsOf(first, count, n int) suite.Range {
	return suite.Range{First: first * n, End: (first + count) * n}
}

// inputsNamed are some of a kernel's input families. The first of them, which
// gives the default fills, has to be among the names.
func inputsNamed(inputs []suite.Input, names ...string) []suite.Input {
	return slices.DeleteFunc(slices.Clone(inputs),
		func(in suite.Input) bool { return !slices.Contains(names, in.Name) })
}

// without are the shapes with fewer axes, those that then repeat left out.
func without(shapes []suite.Shape, axes ...suite.Axis) []suite.Shape {
	var kept []suite.Shape
	for _, s := range shapes {
		t := s.With(nil)
		for _, a := range axes {
			delete(t, a)
		}
		if !slices.ContainsFunc(kept, func(k suite.Shape) bool { return maps.Equal(k, t) }) {
			kept = append(kept, t)
		}
	}
	return kept
}
