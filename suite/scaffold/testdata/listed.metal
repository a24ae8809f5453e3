#include <metal_stdlib>
using namespace metal;

// Rows less eps times their sum; params are eps and the length of rows, as a float.
kernel void less_sum(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], device const float *params [[buffer(2)]],
                     uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    const uint n = uint(params[1]);
    float sum = 0.0f;
    for (uint i = lane; i < n; i += 32) {
        sum += x[row * n + i];
    }
    sum = simd_sum(sum);
    for (uint i = lane; i < n; i += 32) {
        y[row * n + i] = x[row * n + i] - params[0] * sum;
    }
}
