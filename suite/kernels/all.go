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
	"metalconform/suite/growth"
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
	list := []suite.Family{
		{Name: "delta_net"}, {Name: "attention"}, {Name: "norm"}, {Name: "quant"}, {Name: "moe"}, {Name: "mla"},
		{Name: "kv_quant"}, {Name: "pipelines"},
	}
	var all sync.WaitGroup // their sweeps are long
	for i, kernels := range []func() []suite.Kernel{deltaNet, attention, norm, quant, moe, mla, kvQuant} {
		all.Go(func() { list[i].Kernels = kernels() })
	}
	all.Go(func() { list[len(list)-1].Pipelines = pipelines() })
	all.Wait()
	for _, family := range list {
		for i := range family.Kernels {
			k := &family.Kernels[i]
			k.Limits = limitsOf(k.Axes).With(k.Limits)
		}
	}
	return list
})

// Limits of axes beyond all models that are known: those have up to 128 heads of up to 576 channels, and up to 512
// experts. A row or a buffer of one dimension has fewer elements than a kernel of int can count.
const (
	mostHeads    = 1 << 10
	mostChannels = 1 << 16
	mostExperts  = 1 << 12
	mostElements = 1 << 31
)

// mostOf are limits of axes by what they count. Tokens and positions have none but memory.
var mostOf = suite.Shape{
	hk: mostHeads, hv: mostHeads, hg: mostHeads, h: mostHeads, valueHeads: mostHeads, keyHeads: mostHeads,
	numKHeads: mostHeads, numVHeads: mostHeads, numHeads: mostHeads,
	dk: mostChannels, dv: mostChannels, k: mostChannels, keyChannels: mostChannels, valueChannels: mostChannels,
	channels: mostChannels, perHead: mostChannels,
	nExperts: mostExperts, dim: mostElements,
}

// limitsOf are limits of axes that a kernel does not limit itself.
func limitsOf(axes []suite.Axis) suite.Shape {
	limits := suite.Shape{}
	for _, a := range axes {
		if limits[a] = growth.MemoryAlone; mostOf[a] > 0 {
			limits[a] = mostOf[a]
		}
	}
	return limits
}
