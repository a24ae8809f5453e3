// Quotients are correctly rounded: 1/3 and 2/3 end in …ab, 1/10 in …cd.
// bind 1 float 1 2 3 10
// want 0 float bits:3eaaaaab bits:3f2aaaab bits:3dcccccd 2.5
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] / x[2];
    a[1] = x[1] / x[2];
    a[2] = x[0] / x[3];
    a[3] = x[3] / 4;
}
