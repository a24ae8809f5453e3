#include <metal_stdlib>
using namespace metal;

// Requests whose weights a list picks, with a rank that arrays hold.
struct Adapters { uint hidden, rank, scale_bits; };
kernel void adapters(device const half *x [[buffer(0)]], device const half *a [[buffer(1)]], device const half *b [[buffer(2)]], device const uint *adapter_of [[buffer(3)]],
                     device float *y [[buffer(4)]], constant Adapters &p [[buffer(5)]], uint request [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                     uint threads [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]],
                     uint simdgroups [[simdgroups_per_threadgroup]]) {
    threadgroup float low[64];
    const uint which = adapter_of[request];
    for (uint r = sg; r < min(p.rank, 64u); r += simdgroups) {
        float sum = 0;
        for (uint i = lane; i < p.hidden; i += 32) sum += float(x[request * p.hidden + i]) * float(a[(which * p.rank + r) * p.hidden + i]);
        sum = simd_sum(sum);
        if (lane == 0) low[r] = sum;
    }
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = t; i < p.hidden; i += threads) {
        float sum = 0;
        for (uint r = 0; r < min(p.rank, 64u); r++) sum += low[r] * float(b[(which * p.hidden + i) * p.rank + r]);
        y[(FAULT == 2 ? request & 1 : request) * p.hidden + i] += sum;
    }
}
