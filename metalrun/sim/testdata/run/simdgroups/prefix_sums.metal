// Inclusive sums count the own lane, exclusive ones begin with 0.
// dispatch threads=32 per=32
// want 0 int 0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136 153 171 190 210 231 253 276 300 325 351 378 406 435 465 496
// want 1 int 0 0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136 153 171 190 210 231 253 276 300 325 351 378 406 435 465
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    a[lane] = simd_prefix_inclusive_sum(int(lane));
    b[lane] = simd_prefix_exclusive_sum(int(lane));
}
