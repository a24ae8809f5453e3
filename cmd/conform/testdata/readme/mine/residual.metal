#include <metal_stdlib>
using namespace metal;

kernel void residual_add(
    device const float* a [[buffer(0)]],
    device const float* b [[buffer(1)]],
    device float* out     [[buffer(2)]],
    constant uint& dim    [[buffer(3)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = half(a[i]) + half(b[i]);
    }
}
