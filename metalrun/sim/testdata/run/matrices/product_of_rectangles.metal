// 3 columns of 2 times 2 columns of 3: (1,2)+2*(5,6), (3,4)+(5,6); and times a vector: 1*(1,2)-1*(3,4)+2*(5,6).
// want 0 float 11 14 8 10
// want 1 float 8 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2x2* a [[buffer(0)]], device float2* b [[buffer(1)]])
{
    float3x2 m = float3x2(float2(1, 2), float2(3, 4), float2(5, 6));
    float2x3 n = float2x3(float3(1, 0, 2), float3(0, 1, 1));
    a[0] = m * n;
    b[0] = m * float3(1, -1, 2);
}
