#include <metal_stdlib>
using namespace metal;

// One query of each head: the host has one threadgroup along x. Sums of the parts, and behind them what they are to be scaled by.
struct VectorParts { int n_heads, n_parts, kv_len; float scale; };
kernel void vector_parts(device const float *q [[buffer(0)]], device const float *k [[buffer(1)]], device float *dst [[buffer(2)]], constant VectorParts &p [[buffer(3)]],
                         uint3 group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    const int query = group.x, head = group.y, part = group.z, row = head + query * p.n_heads;
    device float *scales = dst + p.n_heads * 64 * p.n_parts;
    float largest = -MAXFLOAT, sum = 0;
    for (int pos = part; pos < p.kv_len; pos += p.n_parts) {
        const float s = simd_sum(q[row * 32 + lane] * k[pos * 32 + lane]) * p.scale;
        sum = sum * exp(largest - max(largest, s)) + exp(s - max(largest, s));
        largest = max(largest, s);
    }
    for (int i = lane; i < 64; i += 32) dst[(row * 64 + i) * p.n_parts + (FAULT == 2 ? part / 2 : part)] = sum * i;
    if (lane == 0) {
        scales[(row * p.n_parts + part) * 2] = sum;
        scales[(row * p.n_parts + part) * 2 + (FAULT == 3 ? 2 : 1)] = largest;
    }
}
