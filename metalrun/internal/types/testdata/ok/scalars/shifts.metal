#include <metal_stdlib>
using namespace metal;

kernel void shifts(device int* out [[buffer(0)]], device uint* u [[buffer(1)]], device ulong* w [[buffer(2)]])
{
    out[0] = 1 << 31;
    out[1] = -8 >> 1;
    u[0] = 0xf0000000u >> 28;
    w[0] = 1ul << 63;
    w[1] = w[0] >> u[0];
    u[1] <<= 3;
    out[2] >>= u[0];
    short s = 5;
    s <<= 2;
    out[3] = s;
}
