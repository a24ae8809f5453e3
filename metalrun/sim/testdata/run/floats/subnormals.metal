// Results below 2^-126 lose bits but are not lost: 2^-127, 2^-149/2 (a tie to 0), 0.75 of 2^-149.
// bind 1 float 0x1p-126 0x1p-149
// want 0 float bits:400000 0 bits:1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] / 2;
    a[1] = x[1] / 2;
    a[2] = x[1] * 0.75f;
}
