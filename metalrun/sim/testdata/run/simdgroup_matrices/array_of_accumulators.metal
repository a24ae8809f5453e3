// A row of matrices in an array, as in tiled products.
// dispatch threads=32 per=32
// bind 1 float 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
// want 0 float 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46 48 50 52 54 56 58 60 62 64 66 68 70 72 74 76 78 80 82 84 86 88 90 92 94 96 98 100 102 104 106 108 110 112 114 116 118 120 122 124 126
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    simdgroup_float8x8 sums[2];
    simdgroup_float8x8 m;
    simdgroup_load(m, x);
    for (int t = 0; t < 2; t++) {
        sums[t] = simdgroup_float8x8(0);
        simdgroup_multiply_accumulate(sums[t], m, simdgroup_float8x8(t + 1), sums[t]);
    }
    for (int t = 0; t < 2; t++) {
        simdgroup_store(sums[t], a + 64 * t, 8);
    }
}
