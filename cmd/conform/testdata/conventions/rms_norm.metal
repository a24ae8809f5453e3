#include <metal_stdlib>
using namespace metal;

// A row to a threadgroup; sizes in a struct.
struct NormParams { uint rows; uint dim; float eps; };
kernel void rms_norm(device const float *x [[buffer(0)]], device const float *weight [[buffer(1)]], device float *y [[buffer(2)]],
                     constant NormParams &p [[buffer(3)]], uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                     uint threads [[threads_per_threadgroup]]) {
    threadgroup float part[1024];
    if (row >= p.rows) return;
    float sum = 0;
    for (uint i = t; i < p.dim; i += threads) sum += x[row * p.dim + i] * x[row * p.dim + i];
    part[t] = sum;
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint d = threads / 2; d > 0; d /= 2) {
        if (t < d) part[t] += part[t + d];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    float scale = rsqrt(part[0] / p.dim + p.eps);
    for (uint i = t; i < p.dim; i += threads) y[row * (FAULT == 2 ? p.dim - 1 : p.dim) + i] = x[row * p.dim + i] * scale * weight[i];
}
