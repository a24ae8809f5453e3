// Swizzles of packed vectors are read like those of others.
// want 0 float 3 2 1 2 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    packed_float3 p = packed_float3(1, 2, 3);
    float3 r = p.zyx;
    a[0] = r.x;
    a[1] = r.y;
    a[2] = r.z;
    float2 s = p.yy;
    a[3] = s.x;
    a[4] = s.y;
}
