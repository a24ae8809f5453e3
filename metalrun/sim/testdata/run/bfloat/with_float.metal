// bfloat with bfloat is bfloat (1/3 rounds up to 0x3eab), bfloat with float is float.
// bind 2 bfloat 1 3
// want 0 bfloat bits:3eab
// want 1 float bits:3eaaaaab
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device float* b [[buffer(1)]], device const bfloat* x [[buffer(2)]])
{
    float three = 3;
    a[0] = x[0] / x[1];
    b[0] = x[0] / three;
}
