// What moves in comes from the other end of the filling data, here lanes 30, 31 and 0, 1; and by blocks of 8.
// dispatch threads=32 per=32
// want 0 int 130 131 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
// want 1 int 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 100 101
// want 2 int 107 0 1 2 3 4 5 6 115 8 9 10 11 12 13 14 123 16 17 18 19 20 21 22 131 24 25 26 27 28 29 30
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], device int* c [[buffer(2)]], ushort lane [[thread_index_in_simdgroup]])
{
    int x = lane, fill = 100 + lane;
    a[lane] = simd_shuffle_and_fill_up(x, fill, 2);
    b[lane] = simd_shuffle_and_fill_down(x, fill, 2);
    c[lane] = simd_shuffle_and_fill_up(x, fill, 1, 8);
}
