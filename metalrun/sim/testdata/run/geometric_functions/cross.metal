// (2*6 - 3*5, 3*4 - 1*6, 1*5 - 2*4); reversed order changes the sign.
// want 0 float -3 6 -3 3 -6 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_float3* a [[buffer(0)]])
{
    float3 u = float3(1, 2, 3), v = float3(4, 5, 6);
    a[0] = cross(u, v);
    a[1] = cross(v, u);
}
