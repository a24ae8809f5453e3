#include <metal_stdlib>
using namespace metal;

// Partial sums in a buffer of their own, and a second kernel that adds them.
struct SplitK { int M, N, K, splits, k_per_split; };
kernel void split_k_partial(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]], device float *partial [[buffer(2)]], constant SplitK &p [[buffer(3)]],
                            uint3 gid [[thread_position_in_grid]]) {
    const int n = gid.x, m = gid.y, s = gid.z;
    if (n >= p.N || m >= p.M || s >= p.splits) return;
    float sum = 0;
    for (int k = s * p.k_per_split; k < min(p.K, (s + 1) * p.k_per_split); k++) sum += a[m * p.K + k] * b[k * p.N + n];
    partial[((FAULT == 2 ? 0 : s) * p.M + m) * p.N + n] = sum;
}
kernel void split_k_sum(device const float *partial [[buffer(0)]], device float *c [[buffer(1)]], constant SplitK &p [[buffer(2)]], uint2 gid [[thread_position_in_grid]]) {
    const int n = gid.x, m = gid.y;
    if (n >= p.N || m >= p.M) return;
    float sum = 0;
    for (int s = 0; s < p.splits; s++) sum += partial[(s * p.M + m) * p.N + n];
    c[m * p.N + n] = sum;
}
