#include <metal_stdlib>
using namespace metal;

kernel void literals(device ulong* out [[buffer(0)]], device float* f [[buffer(1)]])
{
    out[0] = 0xffffffffffffffff;
    out[1] = 1ul << 40;
    out[2] = 0b1011;
    out[3] = 017;
    out[4] = 42u;
    out[5] = 'z';
    f[0] = 1e10;
    f[1] = 0x1.8p3;
    f[2] = 1.f;
    f[3] = .5h;
    f[4] = 3.4028234e38f;
}
