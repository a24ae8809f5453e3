// The length of the difference.
// want 0 float 5 25 0 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float2 u = float2(1, 2), v = float2(4, 6);
    a[0] = distance(u, v);
    a[1] = distance_squared(u, v);
    a[2] = distance(u, u);
    a[3] = distance(float3(1, 2, 3), float3(-7, -2, 4));
}
