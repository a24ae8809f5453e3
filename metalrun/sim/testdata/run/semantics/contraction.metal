// Contracted, an expression keeps the 2^-24 that the product would lose.
// semantics contract
// bind 1 float 0x1.001p0 0x1.002p0
// want 0 float 0x1p-24 0x1p-24 -0x1p-24
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] * x[0] - x[1];
    a[1] = -x[1] + x[0] * x[0];
    a[2] = x[1] - x[0] * x[0];
}
