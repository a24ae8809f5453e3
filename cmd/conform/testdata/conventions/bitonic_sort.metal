#include <metal_stdlib>
using namespace metal;

// A row of a power of two in threadgroup memory, two elements to a thread.
kernel void bitonic_sort(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &row_length [[buffer(2)]], uint row [[threadgroup_position_in_grid]],
                         uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
    threadgroup float keys[2048];
    const uint n = 2 * threads;
    for (uint i = t; i < n; i += threads) keys[i] = i < row_length ? x[row * row_length + i] : MAXFLOAT;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint size = 2; size <= n; size *= 2) {
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            const uint a = 2 * t - (t & (stride - 1)), b = a + stride;
            const bool up = (a & size) == 0;
            if ((keys[a] > keys[b]) == up) { const float k = keys[a]; keys[a] = keys[b]; keys[b] = k; }
            if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
        }
    }
    for (uint i = t; i < min(n, row_length); i += threads) y[row * row_length + (FAULT == 2 ? i / 2 : i)] = keys[i];
}
