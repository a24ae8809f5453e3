#include <metal_stdlib>
using namespace metal;

kernel void functions(device float4x4* m [[buffer(0)]], device float* f [[buffer(1)]], device float2x3* n [[buffer(2)]])
{
    m[0] = transpose(m[1]);
    f[0] = determinant(m[0]);
    float3x2 t = transpose(n[0]);
    f[1] = t[2][1];
}
