// An explicit fma does not depend on the options.
// bind 1 float 0x1.001p0 -0x1.002p0
// want 0 float 0x1p-24
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
#pragma METAL fp contract(off)
    a[0] = fma(x[0], x[0], x[1]);
}
