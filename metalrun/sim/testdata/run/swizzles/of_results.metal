// Swizzles of calls and constructions.
// want 0 float 3 1 2 20
#include <metal_stdlib>
using namespace metal;

static float3 twice(float3 v) { return v + v; }
kernel void f(device float* a [[buffer(0)]])
{
    float3 v = float3(1, 2, 3).zxy;
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
    a[3] = twice(v * 10).zyx.z - 40;
}
