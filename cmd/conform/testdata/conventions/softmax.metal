#include <metal_stdlib>
using namespace metal;

// Sizes in a buffer of integers; simdgroups hand sums over.
kernel void softmax(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], device const uint *params [[buffer(2)]],
                    threadgroup float *shared [[threadgroup(0)]], uint row [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                    uint threads [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]],
                    uint simdgroups [[simdgroups_per_threadgroup]]) {
    const uint rows = params[0], cols = params[1];
    if (row >= rows) return;
    device const float *in = x + row * cols;
    device float *out = y + (FAULT == 2 ? row / 2 : row) * cols;
    float largest = -MAXFLOAT;
    for (uint i = t; i < cols; i += threads) largest = max(largest, in[i]);
    largest = simd_max(largest);
    if (lane == 0) shared[sg] = largest;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = 0; i < simdgroups; i++) largest = max(largest, shared[i]);
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    float sum = 0;
    for (uint i = t; i < cols; i += threads) sum += exp(in[i] - largest);
    sum = simd_sum(sum);
    if (lane == 0) shared[sg] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = 0;
    for (uint i = 0; i < simdgroups; i++) sum += shared[i];
    for (uint i = t; i < cols; i += threads) out[i] = exp(in[i] - largest) / sum;
}
