#include <metal_stdlib>
using namespace metal;

// A mask that may be missing, a slope for each head, and rows of four axes.
constant bool has_mask [[function_constant(0)]];
struct Scores { int n_kv, n_q, n_head; float max_bias, scale; int mask_stride; };
kernel void masked_scores(device float *scores [[buffer(0)]], device const half *mask [[buffer(1), function_constant(has_mask)]], device const float *slopes [[buffer(2)]],
                          constant Scores &p [[buffer(3)]], uint3 group [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                          uint3 size [[threads_per_threadgroup]]) {
    const uint threads = size.x;
    threadgroup float part[1024];
    device float *row = scores + (ulong(group.z) * p.n_head * p.n_q + (FAULT == 2 ? 0 : group.y * p.n_q) + group.x) * p.n_kv;
    float sum = 0;
    for (int i = t; i < p.n_kv; i += threads) {
        float s = row[i] * p.scale;
        if (has_mask) s += slopes[group.y] * float(mask[group.x * p.mask_stride + i]);
        row[i] = exp(s);
        sum += row[i];
    }
    part[t] = sum;
    for (uint d = threads / 2; d > 0; d /= 2) {
        if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
        if (t < d) part[t] += part[t + d];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int i = t; i < p.n_kv; i += threads) row[i] /= part[0];
}
