// Package kernels is the catalogue: what each kernel is, and where it is
// judged.
//
// A family is a file: its kernels' arguments in binding order, their geometry,
// what a host must refuse to launch, the sweep of shapes and inputs, the
// arithmetic that the kernel promises, and the oracle that judges it. [All] is
// the only list of families.
//
// The rule of the layer: data, and plain functions from shapes to data. What a
// kernel computes stands in package oracles, how a case is run and judged in
// package suite.
package kernels

import (
	"slices"
	"sync"

	"metalconform/suite"
)

// All are the families of the catalogue. A caller may change their kernels, but not
// what those refer to.
func All() []suite.Family {
	list := slices.Clone(families())
	for i := range list {
		list[i].Kernels, list[i].Pipelines = slices.Clone(list[i].Kernels), slices.Clone(list[i].Pipelines)
	}
	return list
}

var families = sync.OnceValue(func() []suite.Family {
	return []suite.Family{
		{Name: "delta_net", Kernels: deltaNet()},
		{Name: "attention", Kernels: attention()},
		{Name: "norm", Kernels: norm()},
		{Name: "quant", Kernels: quant()},
		{Name: "moe", Kernels: moe()},
		{Name: "mla", Kernels: mla()},
		{Name: "kv_quant", Kernels: kvQuant()},
		{Name: "pipelines", Pipelines: pipelines()},
	}
})
