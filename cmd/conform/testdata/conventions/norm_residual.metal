#include <metal_stdlib>
using namespace metal;

// In place: what is added to a row is kept in it.
kernel void norm_residual(device bfloat *hidden [[buffer(0)]], device bfloat *residual [[buffer(1)]], device const bfloat *weight [[buffer(2)]], constant float &eps [[buffer(3)]],
                          constant int &hidden_size [[buffer(4)]], uint token [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                          uint threads [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
    threadgroup float part[32];
    threadgroup float total;
    device bfloat *h = hidden + token * hidden_size, *r = residual + (FAULT == 2 ? token / 2 : token) * hidden_size;
    float sum = 0;
    for (int i = t; i < hidden_size; i += threads) {
        const float x = float(h[i]) + float(r[i]);
        r[i] = bfloat(x);
        sum += x * x;
    }
    sum = simd_sum(sum);
    if (lane == 0) part[sg] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (sg == 0) {
        const float all = simd_sum(lane < (threads + 31) / 32 ? part[lane] : 0);
        if (lane == 0) total = all;
    }
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int i = t; i < hidden_size; i += threads) h[i] = bfloat(float(r[i]) * rsqrt(total / hidden_size + eps) * float(weight[i]));
}
