#include <metal_stdlib>
using namespace metal;

kernel void addition(device float3x3* m [[buffer(0)]], device half2x4* h [[buffer(1)]])
{
    m[0] = m[1] + m[2] - m[3];
    m[1] = -m[0];
    m[2] += m[0];
    m[3] -= m[1];
    h[0] = h[1] + h[0];
    m[0] = +m[1];
}
