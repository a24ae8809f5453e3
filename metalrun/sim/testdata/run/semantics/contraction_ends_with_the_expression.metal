// A product in a statement of its own is rounded.
// semantics contract
// bind 1 float 0x1.001p0 -0x1.002p0
// want 0 float 0 0x1p-24
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    float product = x[0] * x[0];
    a[0] = product + x[1];
    float sum = x[1];
    sum += x[0] * x[0];
    a[1] = sum;
}
