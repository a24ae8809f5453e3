#include <metal_stdlib>
using namespace metal;

kernel void rms_norm_sum_sq(
    device const float* x [[buffer(0)]],
    device float* sum_sq  [[buffer(1)]],
    constant uint& dim    [[buffer(2)]],
    uint thread_id [[thread_index_in_threadgroup]],
    uint lane      [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    threadgroup float partial[8];
    float sum = 0.0f;
    for (uint i = thread_id; i < dim; i += 256) {
        sum += x[i] * x[i];
    }
    sum = simd_sum(sum);
    if (lane == 0) {
        partial[simdgroup] = sum;
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
    if (thread_id == 0) {
        float total = 0.0f;
        for (uint s = 0; s < 8; s++) {
            total += partial[s];
        }
        sum_sq[0] = total;
    }
}

kernel void rms_norm_apply(
    device const float* x      [[buffer(0)]],
    device const float* weight [[buffer(1)]],
    device const float* sum_sq [[buffer(2)]],
    device float* out          [[buffer(3)]],
    constant uint& dim         [[buffer(4)]],
    constant float& eps        [[buffer(5)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = x[i] * rsqrt(sum_sq[0] / float(dim) + eps) * weight[i];
    }
}
