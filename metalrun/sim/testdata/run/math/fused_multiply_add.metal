// (1+2^-12)^2 - (1+2^-11) is 2^-24; with the product rounded first (a tie to even) it is 0.
// bind 1 float 0x1.001p0 -0x1.002p0
// want 0 float 0x1p-24 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = fma(x[0], x[0], x[1]);
    float product = x[0] * x[0];
    a[1] = product + x[1];
}
