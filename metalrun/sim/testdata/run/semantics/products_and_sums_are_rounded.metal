// Without contraction (1+2^-12)^2 rounds to 1+2^-11 before 1+2^-11 is subtracted.
// bind 1 float 0x1.001p0 0x1.002p0
// want 0 float 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] * x[0] - x[1];
    a[1] = -x[1] + x[0] * x[0];
    a[2] = x[1] - x[0] * x[0];
}
