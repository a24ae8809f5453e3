#include <metal_stdlib>
using namespace metal;

kernel void relational(device bool4* out [[buffer(0)]], device const float4* f [[buffer(1)]], device const int4* n [[buffer(2)]], device float4* g [[buffer(3)]])
{
    out[0] = f[0] < f[1];
    out[1] = n[0] == 3;
    out[2] = out[0] && out[1];
    out[3] = !out[0] || out[1];
    out[4] = out[0] == out[1];
    if (all(f[0] > 0.0f) && any(n[0] != n[1])) g[0] = select(f[0], f[1], out[0]);
    g[1] = out[0].x ? f[0] : f[1];
    g[2] = select(f[0], float4(1), f[0] < 1);
}
