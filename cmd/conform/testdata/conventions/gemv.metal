#include <metal_stdlib>
using namespace metal;

// A number of simdgroups that the source fixes, each with several rows.
constant constexpr uint SIMDGROUPS = 4, ROWS = 2;
struct Gemv { uint in_features, out_features, batch; };
kernel void gemv(device const half *w [[buffer(0)]], device const half *x [[buffer(1)]], device half *y [[buffer(2)]], constant Gemv &p [[buffer(3)]],
                 uint3 group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
    const uint first = (group.x * SIMDGROUPS + sg) * ROWS;
    for (uint r = 0; r < ROWS; r++) {
        const uint row = first + (FAULT == 2 ? 0 : r);
        if (row >= p.out_features) continue;
        float sum = 0;
        for (uint i = lane; i < p.in_features; i += 32) sum += float(w[row * p.in_features + i]) * float(x[group.y * p.in_features + i]);
        sum = simd_sum(sum);
        if (FAULT == 2 ? lane < 2 : lane == 0) y[group.y * p.out_features + row] = half(sum + lane);
    }
}
