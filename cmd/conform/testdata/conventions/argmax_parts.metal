#include <metal_stdlib>
using namespace metal;

// The best of each threadgroup, and of those in a second kernel; how many there are is an argument.
kernel void argmax_parts(device const float *x [[buffer(0)]], device float *best_values [[buffer(1)]], device uint *best_indices [[buffer(2)]], constant uint &n [[buffer(3)]],
                         constant uint &num_groups [[buffer(4)]], uint group [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                         uint threads [[threads_per_threadgroup]]) {
    threadgroup float values[1024];
    threadgroup uint indices[1024];
    float v = -MAXFLOAT;
    uint at = 0;
    for (uint i = group * threads + t; i < n; i += num_groups * threads) {
        if (x[i] > v) { v = x[i]; at = i; }
    }
    values[t] = v;
    indices[t] = at;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint d = threads / 2; d > 0; d /= 2) {
        if (t < d && values[t + d] > values[t]) { values[t] = values[t + d]; indices[t] = indices[t + d]; }
        if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (t == 0) { best_values[FAULT == 2 ? 0 : group] = values[0]; best_indices[group] = indices[0]; }
}
kernel void argmax_whole(device const float *best_values [[buffer(0)]], device const uint *best_indices [[buffer(1)]], device uint *result [[buffer(2)]],
                         constant uint &num_groups [[buffer(3)]], uint t [[thread_position_in_grid]]) {
    if (t != 0) return;
    uint best = 0;
    for (uint i = 1; i < num_groups; i++) best = best_values[i] > best_values[best] ? i : best;
    *result = best_indices[best];
}
