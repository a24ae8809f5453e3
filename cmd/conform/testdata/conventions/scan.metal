#include <metal_stdlib>
using namespace metal;

// Running sums of rows in threadgroup memory, and what is carried on.
struct Scan { uint rows; uint length; };
kernel void scan(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant Scan &p [[buffer(2)]], threadgroup float *sums [[threadgroup(0)]],
                 uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
    if (row >= p.rows) return;
    float carried = 0;
    for (uint first = 0; first < p.length; first += threads) {
        const uint i = first + t;
        sums[t] = i < p.length ? x[row * p.length + i] : 0;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint d = 1; d < threads; d *= 2) {
            const float before = t >= d ? sums[t - d] : 0;
            if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
            sums[t] += before;
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        if (i < p.length) y[row * p.length + (FAULT == 2 ? i % 32 : i)] = sums[t] + carried;
        carried += sums[threads - 1];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
}
