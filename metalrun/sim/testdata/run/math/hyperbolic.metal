// Exact values, limits and the ends of the domains.
// bind 1 float 0 inf -inf 20 1 0.5
// want 0 float 0 1 0 1 -1 1
// want 2 float inf inf -inf 0 nan inf
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device float* b [[buffer(2)]])
{
    a[0] = sinh(x[0]);
    a[1] = cosh(x[0]);
    a[2] = tanh(x[0]);
    a[3] = tanh(x[1]);
    a[4] = tanh(x[2]);
    a[5] = tanh(x[3]);
    b[0] = sinh(x[1]);
    b[1] = cosh(x[2]);
    b[2] = asinh(x[2]);
    b[3] = acosh(x[4]);
    b[4] = acosh(x[5]);
    b[5] = atanh(x[4]);
}
