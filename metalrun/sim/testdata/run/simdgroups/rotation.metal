// Rotations wrap round.
// dispatch threads=32 per=32
// want 0 int 27 28 29 30 31 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26
// want 1 int 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 0 1 2 3 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    int x = lane;
    a[lane] = simd_shuffle_rotate_up(x, 5);
    b[lane] = simd_shuffle_rotate_down(x, 5);
}
