// Products of bfloats into float: 8 * (1 + 2^-7)^2 = 8 + 2^-3 + 2^-11 keeps all terms.
// dispatch threads=32 per=32
// bind 1 bfloat bits:3f81 x64
// want 0 float 0x1.0404p3 x64
// want 2 bfloat 4.03125 x64
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const bfloat* x [[buffer(1)]], device bfloat* b [[buffer(2)]])
{
    simdgroup_bfloat8x8 m;
    simdgroup_load(m, x);
    simdgroup_float8x8 sum(0);
    simdgroup_multiply_accumulate(sum, m, m, sum);
    simdgroup_store(sum, a);
    simdgroup_bfloat8x8 four = make_filled_simdgroup_matrix<bfloat, 8, 8>(0.5bf);
    simdgroup_multiply(four, m, four);
    simdgroup_store(four, b);
}
