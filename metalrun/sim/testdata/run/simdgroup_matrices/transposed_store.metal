// A transposed store into rows of ten elements; what lies between stays.
// dispatch threads=32 per=32
// bind 0 float -1 x78
// bind 1 float 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
// want 0 float 0 8 16 24 32 40 48 56 -1 -1 1 9 17 25 33 41 49 57 -1 -1 2 10 18 26 34 42 50 58 -1 -1 3 11 19 27 35 43 51 59 -1 -1 4 12 20 28 36 44 52 60 -1 -1 5 13 21 29 37 45 53 61 -1 -1 6 14 22 30 38 46 54 62 -1 -1 7 15 23 31 39 47 55 63
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    simdgroup_float8x8 m;
    simdgroup_load(m, x);
    simdgroup_store(m, a, 10, 0, true);
}
