// Sums and products begin anew in each quad.
// dispatch threads=8 per=8
// want 0 int 1 3 6 10 5 11 18 26
// want 1 int 0 1 3 6 0 5 11 18
// want 2 int 1 2 6 24 5 30 210 1680
// want 3 int 1 1 2 6 1 5 30 210
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], device int* c [[buffer(2)]], device int* d [[buffer(3)]], uint i [[thread_position_in_grid]])
{
    int x = i + 1;
    a[i] = quad_prefix_inclusive_sum(x);
    b[i] = quad_prefix_exclusive_sum(x);
    c[i] = quad_prefix_inclusive_product(x);
    d[i] = quad_prefix_exclusive_product(x);
}
