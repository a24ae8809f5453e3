// Lanes exchange bfloat and add it up; select chooses it.
// dispatch threads=4 per=4
// want 0 float 10 10 10 10
// want 1 float 2 1 4 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device float* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    bfloat x = bfloat(float(lane + 1));
    a[lane] = simd_sum(x);
    bfloat next = simd_shuffle_xor(x, 1);
    b[lane] = select(next, x, lane == 3);
}
