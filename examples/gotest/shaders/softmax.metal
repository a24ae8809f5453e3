#include <metal_stdlib>
using namespace metal;

// Rows of weights from rows of scores, each by one simdgroup.
kernel void softmax_rows(
    device const float* scores [[buffer(0)]],
    device float*       weights [[buffer(1)]],
    constant uint&      n [[buffer(2)]],
    uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    device const float* own = scores + row * n;
    float largest = -INFINITY;
    for (uint i = lane; i < n; i += 32) {
        largest = max(largest, own[i]);
    }
    largest = simd_max(largest);
    float sum = 0.0f;
    for (uint i = lane; i < n; i += 32) {
        sum += exp(own[i] - largest);
    }
    sum = simd_sum(sum);
    for (uint i = lane; i < n; i += 32) {
        weights[row * n + i] = exp(own[i] - largest) / sum;
    }
}
