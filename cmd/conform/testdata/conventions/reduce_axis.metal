#include <metal_stdlib>
using namespace metal;

// A reduction along an axis in the middle.
kernel void reduce_axis(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint3 &sizes [[buffer(2)]], uint2 group [[threadgroup_position_in_grid]],
                        uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
    const uint threads = size.x;
    threadgroup float part[1024];
    const uint outer = group.y, inner = group.x;
    if (outer >= sizes.x || inner >= sizes.z) return;
    float sum = 0;
    for (uint i = t; i < sizes.y; i += threads) sum += x[(outer * sizes.y + i) * sizes.z + inner];
    part[t] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint d = threads / 2; d > 0; d /= 2) {
        if (t < d) part[t] += part[t + d];
        if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (t == 0) y[(FAULT == 2 ? 0 : outer * sizes.z) + inner] = part[0];
}
