// The last simdgroup of 52 threads has 20: 32 + ... + 51 = 830.
// dispatch threads=52 per=52
// want 0 int 496 x32 830 x20
// want 1 int 32 x32 20 x20
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = simd_sum(int(i));
    b[i] = simd_sum(1);
}
