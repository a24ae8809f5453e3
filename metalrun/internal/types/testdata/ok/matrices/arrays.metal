#include <metal_stdlib>
using namespace metal;

kernel void arrays(device float* out [[buffer(0)]])
{
    float2x2 m[3] = {float2x2(1), float2x2(2)};
    float2x2 product = m[0];
    for (int i = 1; i < 3; i++) product = product * m[i];
    for (uint c = 0; c < 2; c++)
        for (uint r = 0; r < 2; r++)
            out[c * 2 + r] = product[c][r];
    threadgroup float4x4 shared[2];
    shared[0] = float4x4(1);
    out[4] = shared[0][3].w;
}
