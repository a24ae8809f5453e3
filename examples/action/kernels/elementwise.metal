#include <metal_stdlib>
using namespace metal;

kernel void residual_add(
    device const float *a [[buffer(0)]],
    device const float *b [[buffer(1)]],
    device float *out [[buffer(2)]],
    constant uint &dim [[buffer(3)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = a[i] + b[i];
    }
}

kernel void sigmoid_gate(
    device float *x_out [[buffer(0)]],
    device const float *gate [[buffer(1)]],
    constant uint &dim [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        x_out[i] *= 1.0f / (1.0f + exp(-gate[i]));
    }
}
