// Halves multiplied into a float accumulator: 8 * 300 * 300 = 720000 exceeds half.
// dispatch threads=32 per=32
// want 0 float 720001 x64
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    simdgroup_half8x8 m = make_filled_simdgroup_matrix<half, 8, 8>(300.0h);
    simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
    simdgroup_multiply_accumulate(sum, m, m, sum);
    simdgroup_store(sum, a);
}
