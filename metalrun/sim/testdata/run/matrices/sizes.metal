// floatCxR is C columns with the size of a vector of R.
// want 0 uint 16 32 24 48 64 24 32 16
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    a[0] = sizeof(float2x2);
    a[1] = sizeof(float2x3);
    a[2] = sizeof(float3x2);
    a[3] = sizeof(float3x3);
    a[4] = sizeof(float4x4);
    a[5] = sizeof(half3x3);
    a[6] = sizeof(half4x4);
    a[7] = alignof(float3x3);
}
