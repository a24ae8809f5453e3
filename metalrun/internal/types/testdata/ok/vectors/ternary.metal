#include <metal_stdlib>
using namespace metal;

kernel void ternary(device float4* f [[buffer(0)]], device const uint* n [[buffer(1)]])
{
    float4 a = f[0], b = f[1];
    f[2] = n[0] > 1 ? a : b;
    f[3] = n[0] ? a : 0.0f;
    f[4] = n[1] ? 1 : b;
    (n[2] ? a : b).x = 4;
    f[5] = a;
}
