#include <metal_stdlib>
using namespace metal;

struct Params { uint n; float4 v; packed_float3 p; };
kernel void by_value(device float* out [[buffer(0)]], Params params [[buffer(1)]], constant Params* list [[buffer(2)]])
{
    out[0] = params.v.x + list[1].p.y;
    if (params.n > 1) out[1] = list->v.w;
}
