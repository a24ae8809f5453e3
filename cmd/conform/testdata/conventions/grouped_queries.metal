#include <metal_stdlib>
using namespace metal;

// The queries that share a key's head are one threadgroup's.
constant int n_simdgroups [[function_constant(0)]];
struct Grouped { int n_heads, n_kv_heads, head_dim, kv_len; ulong k_head_stride, k_seq_stride, v_head_stride, v_seq_stride; float scale; };
kernel void grouped_queries(device const float *q [[buffer(0)]], device const float *k [[buffer(1)]], device const float *v [[buffer(2)]], device float *o [[buffer(3)]],
                            constant Grouped &p [[buffer(4)]], threadgroup float *acc [[threadgroup(0)]], uint3 group [[threadgroup_position_in_grid]],
                            uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
    const int per = p.n_heads / p.n_kv_heads;
    for (int g = 0; g < per; g++) {
        const int head = group.y * per + g;
        float largest = -MAXFLOAT, sum = 0;
        for (int i = lane; i < p.head_dim; i += 32) acc[sg * p.head_dim + i] = 0;
        for (int pos = sg; pos < p.kv_len; pos += n_simdgroups) {
            float s = 0;
            for (int i = lane; i < p.head_dim; i += 32) s += q[head * p.head_dim + i] * k[group.y * p.k_head_stride + pos * p.k_seq_stride + i];
            s = simd_sum(s) * p.scale;
            const float now = max(largest, s), before = exp(largest - now);
            largest = now;
            sum = sum * before + exp(s - now);
            for (int i = lane; i < p.head_dim; i += 32)
                acc[sg * p.head_dim + i] = acc[sg * p.head_dim + i] * before + exp(s - now) * v[group.y * p.v_head_stride + pos * p.v_seq_stride + i];
        }
        if (lane == 0) { acc[n_simdgroups * p.head_dim + 2 * sg] = largest; acc[n_simdgroups * p.head_dim + 2 * sg + 1] = sum; }
        if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int i = sg * 32 + lane; i < p.head_dim; i += 32 * n_simdgroups) {
            float all = 0, total = 0, m = -MAXFLOAT;
            for (int s = 0; s < n_simdgroups; s++) m = max(m, acc[n_simdgroups * p.head_dim + 2 * s]);
            for (int s = 0; s < n_simdgroups; s++) {
                const float w = exp(acc[n_simdgroups * p.head_dim + 2 * s] - m);
                total += w * acc[n_simdgroups * p.head_dim + 2 * s + 1];
                all += w * acc[s * p.head_dim + i];
            }
            o[head * p.head_dim + i] = all / total;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
}
