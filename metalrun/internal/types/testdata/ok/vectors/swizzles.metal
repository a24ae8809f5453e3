#include <metal_stdlib>
using namespace metal;

kernel void swizzle(device float4* out [[buffer(0)]], device float3* o3 [[buffer(1)]])
{
    float4 v = float4(1, 2, 3, 4);
    out[0] = v.wzyx;
    out[1].xy = v.zw;
    out[2].r = v.a;
    v.zx = v.xy;
    v.x += 2;
    v.xyz *= 2.0f;
    out[3] = v.xxxx;
    o3[0] = v.rgb;
    out[4] = float4(v.xy, v.zz);
    out[5].xw = float2(out[0].y, 3);
    v.y++;
    out[6].xyz = o3[0];
    float s = v.xy.y;
    out[7] = s;
}
