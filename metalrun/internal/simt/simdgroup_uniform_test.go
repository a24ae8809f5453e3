package simt

import (
	"testing"

	"metalconform/metalrun/internal/simt/machine"
)

// headForms are kernels whose simdgroups have rows of their own, and whether some 64-bit register has
// a value for each of them.
var headForms = []struct {
	name, body string
	grouped    bool
}{
	{"row of each simdgroup", "s = (b + ulong(simdgroup) * stride)[lane];", true},
	{"row of each thread", "s = (b + ulong(id) * stride)[lane];", false},
	{"row of the threadgroup", "s = (b + ulong(stride) * 2)[lane];", false},
	{"some lanes", "if (lane > 4 && lane % 3 != 0) s = (b + ulong(simdgroup) * stride)[lane];", true},
	{"some simdgroups", "if (simdgroup != 1) s = (b + ulong(simdgroup) * stride)[lane];", true},
	{"one lane of one simdgroup", "if (id == 37) s = (b + ulong(simdgroup) * stride)[lane];", true},
	{"signed", "s = (b + (long(int(simdgroup)) - 1) * int(stride) + long(stride))[lane];", true},
	{"value of a lane", "s = (b + ulong(simdgroup) * stride)[lane] + float(ulong(simdgroup) * 3 + lane > 40);", true},
	{"index of 64 bits", "s = b[ulong(simdgroup) * stride + lane];", true},
	{"turns of each simdgroup", "for (uint k = simdgroup; k < 5; k += 2) s += (b + ulong(k) * stride)[lane] * 2;",
		true},
	{"turns of each thread", "for (uint k = lane & 1; k < 3; k++) s += (b + ulong(k + simdgroup) * stride)[lane];",
		false},
	{"words before", "s = (b + ulong(simdgroup + 1) * stride)[int(lane) - 3];", true},
	{"two words", "s = (b + ulong(simdgroup) * stride)[lane * 2];", true},
	{"halves", "s = ((device const half*)(b + ulong(simdgroup) * stride))[lane];", true},
	{"store", "device float* to = out + ulong(simdgroup) * 32; if (i < p[2]) to[lane] = a[lane]; if (stride > 999) ",
		true},
	{"behind the loop", "ulong at = 0; for (uint k = 0; k <= simdgroup; k++) at += stride; s = b[at - stride];", true},
}

var headLaunches = []runLaunch{
	{name: "whole", n: 9, stride: 40, active: 999, threads: 96, group: 96, weightWords: 100, memoryWords: 400},
	{name: "partial simdgroup", n: 9, stride: 40, active: 999, threads: 150, group: 75, weightWords: 100,
		memoryWords: 400},
	{name: "smaller than a simdgroup", n: 9, stride: 40, active: 999, threads: 26, group: 13, weightWords: 100,
		memoryWords: 400},
	{name: "some threads", n: 9, stride: 40, active: 41, threads: 96, group: 96, weightWords: 100, memoryWords: 400},
	{name: "rows end with the memory", n: 9, stride: 32, active: 999, threads: 96, group: 96, weightWords: 100,
		memoryWords: 160},
	{name: "last row too long", n: 9, stride: 32, active: 999, threads: 96, group: 96, weightWords: 100,
		memoryWords: 95},
	{name: "last row out of range", n: 9, stride: 1 << 29, active: 999, threads: 96, group: 96, weightWords: 100,
		memoryWords: 400},
}

// TestPerSimdgroup compares launches with the definition, thread by thread.
func TestPerSimdgroup(t *testing.T) {
	for i, form := range headForms {
		text := products(form.body)
		p, grouped := Compile(lower(t, text), machine.Options{}), false
		for _, at := range p.Slots {
			grouped = grouped || at.Grouped && at.Index >= 0
		}
		if grouped != form.grouped {
			t.Errorf("%s: values for each simdgroup: %v", form.name, grouped)
		}
		for j, l := range headLaunches {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}
