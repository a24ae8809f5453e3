// 1*4 + 2*5 + 3*6; orthogonal vectors; two and four components.
// want 0 float 32 0 11 30
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    a[0] = dot(float3(1, 2, 3), float3(4, 5, 6));
    a[1] = dot(float3(1, 0, 2), float3(0, 5, 0));
    a[2] = dot(float2(1, 2), float2(3, 4));
    float4 v = float4(1, 2, 3, 4);
    a[3] = dot(v, v);
}
