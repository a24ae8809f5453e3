// Any lane may read any other: here the mirror image, and always lane 3 of the own eight.
// dispatch threads=32 per=32
// want 0 int 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// want 1 int 3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    int x = lane;
    a[lane] = simd_shuffle(x, 31 - lane);
    b[lane] = simd_shuffle(x, lane / 8 * 8 + 3);
}
