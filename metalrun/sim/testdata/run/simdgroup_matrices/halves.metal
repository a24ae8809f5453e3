// Products of halves: a matrix of 0..3 times the exchange of columns.
// dispatch threads=32 per=32
// bind 1 half 0 1 2 3 0 1 2 3 1 2 3 0 1 2 3 0 2 3 0 1 2 3 0 1 3 0 1 2 3 0 1 2 0 1 2 3 0 1 2 3 1 2 3 0 1 2 3 0 2 3 0 1 2 3 0 1 3 0 1 2 3 0 1 2
// bind 2 half 0 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 0
// want 0 half 3 2 1 0 3 2 1 0 0 3 2 1 0 3 2 1 1 0 3 2 1 0 3 2 2 1 0 3 2 1 0 3 3 2 1 0 3 2 1 0 0 3 2 1 0 3 2 1 1 0 3 2 1 0 3 2 2 1 0 3 2 1 0 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]], device const half* y [[buffer(2)]])
{
    simdgroup_half8x8 m, n, p;
    simdgroup_load(m, x);
    simdgroup_load(n, y);
    simdgroup_multiply(p, m, n);
    simdgroup_store(p, a);
}
