// Every lane gets the result: the sum of 0..31, 2^5, the ends of -10..21.
// dispatch threads=32 per=32
// want 0 int 496 32 -10 21
// want 1 int 496 x32
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    int x = lane;
    b[lane] = simd_sum(x);
    int product = simd_product(x < 5 ? 2 : 1);
    int least = simd_min(x - 10), greatest = simd_max(x - 10);
    if (lane == 7) {
        a[0] = b[7];
        a[1] = product;
        a[2] = least;
        a[3] = greatest;
    }
}
