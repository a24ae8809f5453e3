#include <metal_stdlib>
using namespace metal;

// Tiles in an order that keeps neighbours together.
struct Swizzle { int M, N, K, tiles_n, tiles_m, swizzle_log; };
kernel void swizzled_tiles(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]], device float *d [[buffer(2)]], constant Swizzle &p [[buffer(3)]],
                           uint3 group [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint3 size [[threads_per_threadgroup]]) {
    const int ty = (group.y << p.swizzle_log) + (group.x & ((1 << p.swizzle_log) - 1)), tx = group.x >> p.swizzle_log;
    if (tx >= p.tiles_n || ty >= p.tiles_m) return;
    for (uint i = t; i < 64; i += size.x) {
        const int r = ty * 8 + i / 8, c = tx * 8 + i % 8;
        if (r >= p.M || c >= p.N) continue;
        float sum = 0;
        for (int k = 0; k < p.K; k++) sum += a[r * p.K + k] * b[k * p.N + c];
        d[(group.z * p.M + (FAULT == 2 ? r / 2 : r)) * p.N + c] = sum;
    }
}
