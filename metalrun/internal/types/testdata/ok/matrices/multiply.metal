#include <metal_stdlib>
using namespace metal;

kernel void multiply(device float4x4* m [[buffer(0)]], device float4* v [[buffer(1)]], device float2x3* n [[buffer(2)]], device float3* w [[buffer(3)]])
{
    m[0] = m[1] * m[2];
    v[0] = m[0] * v[1];
    v[1] = v[0] * m[0];
    m[1] = m[0] * 2.0f;
    m[2] = 3 * m[0];
    m[3] *= m[0];
    m[4] *= 0.5f;
    w[0] = n[0] * float2(1, 2);
    v[2].xy = w[0] * n[0];
    float3x3 p = n[0] * float3x2(1, 2, 3, 4, 5, 6);
    w[1] = p[2];
}
