// Quads are lanes 4k to 4k+3: 0+1+2+3, 4+5+6+7.
// dispatch threads=8 per=8
// want 0 int 6 6 6 6 22 22 22 22
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = quad_sum(int(i));
}
