// 2^-3, 1.5*2, 0.5, the largest float, 10, and 1 + 2^-23.
// want 0 float 0.125 3 0.5 bits:7f7fffff 10 bits:3f800001
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    a[0] = 0x1p-3f;
    a[1] = 0x1.8p1f;
    a[2] = 0x.8p0f;
    a[3] = 0x1.fffffep127f;
    a[4] = 0xAp0;
    a[5] = 0x1.000002p0F;
}
