// Products and ends of 1 2 3 4 and 5 6 7 8.
// dispatch threads=8 per=8
// want 0 int 24 24 24 24 1680 1680 1680 1680
// want 1 int 1 1 1 1 5 5 5 5
// want 2 int 4 4 4 4 8 8 8 8
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], device int* c [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    int x = i + 1;
    a[i] = quad_product(x);
    b[i] = quad_min(x);
    c[i] = quad_max(x);
}
