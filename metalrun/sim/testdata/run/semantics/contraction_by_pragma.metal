// #pragma METAL fp contract(off) forbids it in its block, whatever the options.
// semantics contract
// bind 1 float 0x1.001p0 -0x1.002p0
// want 0 float 0 0x1p-24
#include <metal_stdlib>
using namespace metal;

static float apart(float x, float y)
{
#pragma METAL fp contract(off)
    return x * x + y;
}
kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = apart(x[0], x[1]);
    a[1] = x[0] * x[0] + x[1];
}
