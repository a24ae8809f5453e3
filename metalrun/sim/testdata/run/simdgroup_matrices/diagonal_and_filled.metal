// A scalar fills the diagonal, make_filled_simdgroup_matrix every element.
// dispatch threads=32 per=32
// want 0 float 3 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 3
// want 1 float 2.5 x64
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device float* b [[buffer(1)]])
{
    simdgroup_float8x8 m(3);
    simdgroup_float8x8 n = make_filled_simdgroup_matrix<float, 8, 8>(2.5f);
    simdgroup_store(m, a);
    simdgroup_store(n, b);
}
