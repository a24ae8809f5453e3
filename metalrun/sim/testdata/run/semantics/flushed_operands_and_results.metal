// Flushed, subnormal operands and results are zeros of their sign.
// semantics flush
// bind 1 float 0x1p-127 0x1p-126
// want 0 float 0 0 0 -0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] * 1024;
    a[1] = x[1] * 0.5f;
    a[2] = x[0] + x[0];
    a[3] = x[1] * -0.5f;
    a[4] = x[0] + 1;
}
