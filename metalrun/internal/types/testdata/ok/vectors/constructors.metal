#include <metal_stdlib>
using namespace metal;

kernel void build(device float4* out [[buffer(0)]], device const float* in [[buffer(1)]])
{
    float2 a = float2(1.0f, 2);
    float3 b(a, 3);
    float4 c = float4(b, in[0]);
    float4 d = float4(a, a);
    float4 e = 1;
    float4 f = float4(in[1]);
    float4 g = {1, 2, 3, 4};
    float4 h{in[0], in[1], in[2], in[3]};
    float4 z = {};
    float4 y = {0};
    float4 w = vec<float, 4>(0.5f);
    out[0] = c + d + e + f + g + h + z + y + w;
    out[1] = float4(in[0], float2(1), in[1]);
    out[2] = float4(int4(1, 2, 3, 4));
    out[3] = (float4)uint4(7);
}
