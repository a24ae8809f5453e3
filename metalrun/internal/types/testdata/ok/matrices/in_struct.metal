#include <metal_stdlib>
using namespace metal;

struct Camera { float4x4 view; float3x3 normal; packed_float3 eye; };
kernel void apply(constant Camera& c [[buffer(0)]], device float4* out [[buffer(1)]])
{
    out[0] = c.view * float4(float3(c.eye), 1);
    out[1].xyz = c.normal * float3(1, 0, 0);
    out[2].x = c.view[3].w;
    float4x4 v = c.view;
    v[0] = 0;
    out[3] = v[0];
}
