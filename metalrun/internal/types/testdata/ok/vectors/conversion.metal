#include <metal_stdlib>
using namespace metal;

kernel void convert(device float4* f [[buffer(0)]], device half4* h [[buffer(1)]], device uchar4* c [[buffer(2)]], device bfloat4* b [[buffer(3)]])
{
    h[0] = half4(f[0]);
    f[1] = float4(h[0]);
    c[0] = uchar4(f[0] * 255.0f);
    f[2] = static_cast<float4>(c[0]);
    b[0] = bfloat4(f[0]);
    f[3] = float4(b[0]);
    f[4] = as_type<float4>(uint4(1));
    h[1] = as_type<half4>(f[0].xy);
    f[5] = as_type<float4>(float3(1, 2, 3));
}
