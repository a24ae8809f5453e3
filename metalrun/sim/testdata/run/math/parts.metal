// 12 = 0.75 * 2^4; -3.25 = -3 - 0.25; exponents of normal and subnormal numbers.
// bind 1 float 12 -3.25 0x1p-149 0.75
// want 0 float 0.75 -0.25 -3 12 bits:1 inf
// want 2 int 4 3 -149 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device int* b [[buffer(2)]])
{
    int e;
    float whole;
    a[0] = frexp(x[0], e);
    b[0] = e;
    a[1] = modf(x[1], whole);
    a[2] = whole;
    a[3] = ldexp(x[3], 4);
    a[4] = ldexp(1.0f, -149);
    a[5] = ldexp(1.0f, 128);
    b[1] = ilogb(x[0]);
    b[2] = ilogb(x[2]);
    b[3] = ilogb(x[1]);
}
