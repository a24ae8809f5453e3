package simt

import "testing"

// gathering is a kernel that loads an element for each lane.
func gathering(load string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* a, device const float* b, constant uint* p,
              uint i [[thread_position_in_grid]], uint id [[thread_index_in_threadgroup]],
              uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]]) {
    const uint n = p[0], stride = p[1];
    if (i >= p[2]) return;
    ` + load + `
}`
}

// TestGatherOnce loads what is the same for all simdgroups, and what is almost that.
func TestGatherOnce(t *testing.T) {
	for name, load := range map[string]string{
		"the same":                      "out[i] = b[lane * stride + n];",
		"all but one lane":              "out[i] = b[(id == 40 ? 3 : lane) * stride + n];",
		"all but one of the simdgroups": "out[i] = b[(lane + (simdgroup == 1 ? 1 : 0)) * stride + n];",
		"ends alike":                    "out[i] = b[(lane == 7 ? id : lane) * stride + n];",
		"narrow": "out[i] = float(((device const half*)b)[lane * stride + n]) + ((device " +
			"const uchar*)b)[lane * n + stride];",
		"several": "float4 v = ((device const float4*)b)[lane * stride + n]; out[i] = v.x + 2 " +
			"* v.y - v.z * v.w;",
		"some lanes": "if (id % 3 == 1) out[i] = b[lane * stride + n]; else out[i] = b[id];",
		"threadgroup memory": "threadgroup float shared[64]; for (uint k = 0; k < 64; k++) shared[k] = " +
			"a[k]; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = shared[lane * 2] + shared[(lane * " +
			"5) % 32];",
	} {
		for _, l := range []runLaunch{
			{name: "one simdgroup", n: 2, stride: 3, active: 999, threads: 64, group: 32, weightWords: 256,
				memoryWords: 1024},
			{name: "three", n: 2, stride: 3, active: 999, threads: 192, group: 96, weightWords: 256, memoryWords: 1024},
			{name: "part of one", n: 2, stride: 3, active: 999, threads: 160, group: 80, weightWords: 256,
				memoryWords: 1024},
			{name: "smaller at the edge", n: 2, stride: 3, active: 999, threads: 150, group: 96, weightWords: 256,
				memoryWords: 1024},
			{name: "some threads", n: 2, stride: 3, active: 70, threads: 128, group: 128, weightWords: 256,
				memoryWords: 1024},
			{name: "last lane out of range", n: 2, stride: 3, active: 999, threads: 128, group: 128, weightWords: 256,
				memoryWords: 95},
			{name: "all out of range", n: 2000, stride: 3, active: 999, threads: 128, group: 128, weightWords: 256,
				memoryWords: 1024},
		} {
			t.Run(name+"/"+l.name, func(t *testing.T) { l.agree(t, gathering(load)) })
		}
	}
}
