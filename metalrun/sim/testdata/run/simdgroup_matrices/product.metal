// (r - c) times (r * c mod 5): the element (r, c) is the sum over k of (r - k) * (k * c mod 5).
// dispatch threads=32 per=32
// bind 1 float 0 -1 -2 -3 -4 -5 -6 -7 1 0 -1 -2 -3 -4 -5 -6 2 1 0 -1 -2 -3 -4 -5 3 2 1 0 -1 -2 -3 -4 4 3 2 1 0 -1 -2 -3 5 4 3 2 1 0 -1 -2 6 5 4 3 2 1 0 -1 7 6 5 4 3 2 1 0
// bind 2 float 0 0 0 0 0 0 0 0 0 1 2 3 4 0 1 2 0 2 4 1 3 0 2 4 0 3 1 4 2 0 3 1 0 4 3 2 1 0 4 3 0 0 0 0 0 0 0 0 0 1 2 3 4 0 1 2 0 2 4 1 3 0 2 4
// want 0 float 0 -50 -65 -50 -65 0 -50 -65 0 -37 -49 -36 -48 0 -37 -49 0 -24 -33 -22 -31 0 -24 -33 0 -11 -17 -8 -14 0 -11 -17 0 2 -1 6 3 0 2 -1 0 15 15 20 20 0 15 15 0 28 31 34 37 0 28 31 0 41 47 48 54 0 41 47
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device const float* y [[buffer(2)]])
{
    simdgroup_float8x8 m, n, p;
    simdgroup_load(m, x);
    simdgroup_load(n, y);
    simdgroup_multiply(p, m, n);
    simdgroup_store(p, a);
}
