// Halves and vectors.
// dispatch threads=4 per=4
// want 0 half 2 x4
// want 1 float 6 -4 6 -4 6 -4 6 -4
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device float2* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = quad_sum(0.5h);
    b[i] = quad_sum(float2(i, -1));
}
