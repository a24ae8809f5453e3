// Two products are added to a start of 100 on the diagonal: a 8 by 16 times 16 by 8 product in two steps.
// dispatch threads=32 per=32
// bind 1 float 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 0 1
// bind 2 float 0 -1 -2 -3 -4 -5 -6 -7 1 0 -1 -2 -3 -4 -5 -6 2 1 0 -1 -2 -3 -4 -5 3 2 1 0 -1 -2 -3 -4 4 3 2 1 0 -1 -2 -3 5 4 3 2 1 0 -1 -2 6 5 4 3 2 1 0 -1 7 6 5 4 3 2 1 0 8 7 6 5 4 3 2 1 9 8 7 6 5 4 3 2 10 9 8 7 6 5 4 3 11 10 9 8 7 6 5 4 12 11 10 9 8 7 6 5 13 12 11 10 9 8 7 6 14 13 12 11 10 9 8 7 15 14 13 12 11 10 9 8
// want 0 float 215 100 85 70 55 40 25 10 115 199 83 67 51 35 19 3 130 113 196 79 62 45 28 11 115 100 85 170 55 40 25 10 115 99 83 67 151 35 19 3 130 113 96 79 62 145 28 11 115 100 85 70 55 40 125 10 115 99 83 67 51 35 19 103
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device const float* y [[buffer(2)]])
{
    simdgroup_float8x8 sum(100), m, n;
    for (uint k = 0; k < 16; k += 8) {
        simdgroup_load(m, x + k, 16);
        simdgroup_load(n, y + k * 8, 8);
        simdgroup_multiply_accumulate(sum, m, n, sum);
    }
    simdgroup_store(sum, a);
}
