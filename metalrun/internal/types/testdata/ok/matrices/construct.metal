#include <metal_stdlib>
using namespace metal;

kernel void construct(device float4x4* m [[buffer(0)]], device float2x3* n [[buffer(1)]], device half3x3* h [[buffer(2)]])
{
    m[0] = float4x4(1.0f);
    m[1] = float4x4(float4(1), float4(2), float4(3), float4(4));
    m[2] = float4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    n[0] = float2x3(float3(1, 2, 3), float3(4, 5, 6));
    n[1] = float2x3(1, 2, 3, 4, 5, 6);
    h[0] = half3x3(2.0h);
    float2x2 a = {float2(1, 2), float2(3, 4)};
    float2x2 b = {{1, 2}, {3, 4}};
    m[3] = matrix<float, 4, 4>(0);
    m[4][0].xy = a[0] + b[1];
    h[1] = half3x3(float3x3(1.0f));
    m[5] = float4x4();
    float2x2 c;
    c[0] = a[1];
    c[1] = float2(0);
    m[6][1].zw = c[1];
}
