#include <metal_stdlib>
using namespace metal;

kernel void matrices(device const half* a [[buffer(0)]], device const float* b [[buffer(1)]], device float* c [[buffer(2)]], threadgroup float* s [[threadgroup(0)]], constant uint& n [[buffer(3)]])
{
    simdgroup_half8x8 ma;
    simdgroup_float8x8 mb, acc = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    simdgroup_matrix<float, 8, 8> tiles[2][2];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) tiles[i][j] = simdgroup_float8x8(0);
    simdgroup_load(ma, a + 8, n);
    simdgroup_load(mb, b, n, ulong2(8, 0), true);
    simdgroup_load(tiles[0][1], s);
    simdgroup_multiply_accumulate(acc, ma, mb, acc);
    simdgroup_multiply(tiles[0][0], mb, mb);
    simdgroup_float8x8 p = mb * tiles[0][0];
    p.thread_elements()[0] = 2;
    thread auto& e = acc.thread_elements();
    e[1] += p.thread_elements()[1];
    e *= 0.5f;
    float2 pair = p.thread_elements();
    simdgroup_store(acc, c, n, 0, false);
    simdgroup_store(p, s, 8, ulong2(0, 8));
    c[0] = pair.x;
}
