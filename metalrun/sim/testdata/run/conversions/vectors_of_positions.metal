// Thread positions convert between widths of components.
// dispatch threads=2,2 per=2,2
// want 0 float 0 1 10 11
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], uint2 p [[thread_position_in_grid]])
{
    ushort2 s = ushort2(p);
    float2 v = float2(s);
    a[p.y * 2 + p.x] = v.y * 10 + v.x;
}
