// Uncontracted, each product of a matrix product is rounded: (1+2^-12)^2 - (1+2^-11) gives 0.
// dispatch threads=32 per=32
// bind 1 float 0x1.001p0
// want 0 float 0 x64
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    simdgroup_float8x8 m(x[0]), sum = make_filled_simdgroup_matrix<float, 8, 8>(-0x1.002p0f);
    simdgroup_float8x8 full = make_filled_simdgroup_matrix<float, 8, 8>(x[0]);
    simdgroup_multiply_accumulate(sum, m, full, sum);
    simdgroup_store(sum, a);
}
