#include <metal_stdlib>
using namespace metal;

// One threadgroup adds up each row of n numbers.
kernel void row_sum(device const float *x, device float *sum, constant uint &n,
                    uint row [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                    uint threads [[threads_per_threadgroup]]) {
    threadgroup float part[256];
    float s = 0;
    for (uint i = t; i < n; i += threads)
        s += x[row * n + i];
    part[t] = s;
    for (uint d = threads / 2; d > 0; d /= 2)
        if (t < d)
            part[t] += part[t + d];
    if (t == 0)
        sum[row] = part[0];
}
