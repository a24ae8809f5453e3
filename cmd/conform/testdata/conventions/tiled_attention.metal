#include <metal_stdlib>
using namespace metal;

// A block of queries to a threadgroup, keys and values by blocks through threadgroup memory; the grid is blocks, heads and batches.
constant constexpr int BQ = 16, BK = 16, D = 32;
struct Tiled { int q_len, kv_len, n_heads, n_kv_heads; long q_batch_stride, kv_batch_stride; float scale; };
[[max_total_threads_per_threadgroup(64)]] kernel void tiled_attention(device const float *q [[buffer(0)]], device const float *k [[buffer(1)]], device const float *v [[buffer(2)]],
                     device float *o [[buffer(3)]], constant Tiled &p [[buffer(4)]], uint3 group [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
    threadgroup float sq[BQ][D], sk[BK][D], sv[BK][D], ss[BQ][BK], so[BQ][D], m[BQ], l[BQ];
    const int head = group.y, kv_head = head / (p.n_heads / p.n_kv_heads), first = group.x * BQ;
    for (int i = t; i < BQ * D; i += 64) {
        const int r = i / D, c = i % D;
        sq[r][c] = first + r < p.q_len ? q[group.z * p.q_batch_stride + ((first + r) * p.n_heads + head) * D + c] : 0;
        so[r][c] = 0;
    }
    if (t < uint(BQ)) { m[t] = -MAXFLOAT; l[t] = 0; }
    for (int k0 = 0; k0 < p.kv_len; k0 += BK) {
        if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int i = t; i < BK * D; i += 64) {
            const int r = i / D, c = i % D;
            const long from = group.z * p.kv_batch_stride + ((k0 + r) * p.n_kv_heads + kv_head) * D + c;
            sk[r][c] = k0 + r < p.kv_len ? k[from] : 0;
            sv[r][c] = k0 + r < p.kv_len ? v[from] : 0;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int i = t; i < BQ * BK; i += 64) {
            float s = 0;
            for (int c = 0; c < D; c++) s += sq[i / BK][c] * sk[i % BK][c];
            ss[i / BK][i % BK] = k0 + i % BK < p.kv_len ? s * p.scale : -MAXFLOAT;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (t < uint(BQ)) {
            float largest = m[t], sum = 0;
            for (int j = 0; j < BK; j++) largest = max(largest, ss[t][j]);
            const float before = exp(m[t] - largest);
            for (int j = 0; j < BK; j++) { ss[t][j] = exp(ss[t][j] - largest); sum += ss[t][j]; }
            for (int c = 0; c < D; c++) so[t][c] *= before;
            l[t] = l[t] * before + sum;
            m[t] = largest;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int i = t; i < BQ * D; i += 64) {
            float s = so[i / D][i % D];
            for (int j = 0; j < BK; j++) s += ss[i / D][j] * sv[j][i % D];
            so[i / D][i % D] = s;
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int i = t; i < BQ * D; i += 64) {
        const int r = first + i / D;
        if (r < p.q_len) o[group.z * p.q_batch_stride + (r * p.n_heads + (FAULT == 2 ? kv_head & 0 : head)) * D + i % D] = so[i / D][i % D] / l[i / D];
    }
}
