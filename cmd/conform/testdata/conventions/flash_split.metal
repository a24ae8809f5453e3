#include <metal_stdlib>
using namespace metal;

// Attention in parts along the keys: sums, and behind them in the same buffer what they are to be scaled by.
struct Split { int n_heads, head_dim, n_kv, n_splits; float scale; };
kernel void flash_split(device const float *q [[buffer(0)]], device const float *k [[buffer(1)]], device const float *v [[buffer(2)]], device float *parts [[buffer(3)]],
                        constant Split &p [[buffer(4)]], uint3 group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    const int head = group.x, part = group.y;
    const int per = (p.n_kv + p.n_splits - 1) / p.n_splits;
    device float *out = parts + (head * p.n_splits + part) * p.head_dim;
    device float *ml = parts + p.n_heads * p.n_splits * p.head_dim + (head * p.n_splits + (FAULT == 2 ? 0 : part)) * 2;
    float largest = -MAXFLOAT, sum = 0;
    for (int i = lane; i < p.head_dim; i += 32) out[i] = 0;
    for (int pos = part * per; pos < min(p.n_kv, (part + 1) * per); pos++) {
        float s = 0;
        for (int i = lane; i < p.head_dim; i += 32) s += q[head * p.head_dim + i] * k[(pos * p.n_heads + head) * p.head_dim + i];
        s = simd_sum(s) * p.scale;
        const float now = max(largest, s), before = exp(largest - now), w = exp(s - now);
        largest = now;
        sum = sum * before + w;
        for (int i = lane; i < p.head_dim; i += 32) out[i] = out[i] * before + w * v[(pos * p.n_heads + head) * p.head_dim + i];
    }
    if (lane == 0) { ml[0] = largest; ml[1] = sum; }
}
kernel void flash_combine(device const float *parts [[buffer(0)]], device float *out [[buffer(1)]], constant Split &p [[buffer(2)]], uint head [[threadgroup_position_in_grid]],
                          uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
    device const float *ml = parts + p.n_heads * p.n_splits * p.head_dim + head * p.n_splits * 2;
    float largest = -MAXFLOAT, sum = 0;
    for (int s = 0; s < p.n_splits; s++) largest = max(largest, ml[2 * s]);
    for (int s = 0; s < p.n_splits; s++) sum += ml[2 * s + 1] * exp(ml[2 * s] - largest);
    for (int i = t; i < p.head_dim; i += threads) {
        float acc = 0;
        for (int s = 0; s < p.n_splits; s++) acc += parts[(head * p.n_splits + s) * p.head_dim + i] * exp(ml[2 * s] - largest);
        out[head * p.head_dim + i] = acc / sum;
    }
}
