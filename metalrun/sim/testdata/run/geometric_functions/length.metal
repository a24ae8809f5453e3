// 3-4-5, 2-3-6-7, four equal components.
// want 0 float 5 7 4 25 49
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    a[0] = length(float2(3, 4));
    a[1] = length(float3(2, 3, 6));
    a[2] = length(float4(2));
    a[3] = length_squared(float2(3, 4));
    a[4] = length_squared(float3(2, 3, 6));
}
