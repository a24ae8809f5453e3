// rgba are other names of xyzw.
// want 0 float 3 2 1 4 1 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float4 v = float4(1, 2, 3, 4);
    float3 c = v.bgr;
    a[0] = c.r;
    a[1] = c.g;
    a[2] = c.b;
    a[3] = v.a;
    a[4] = v.ra.x;
    a[5] = v.ra.y;
}
