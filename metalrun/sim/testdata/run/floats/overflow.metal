// The largest float takes a quarter of its ulp (2^104) without change; half an ulp is a tie that rises to infinity.
// bind 1 float 0x1.fffffep127 0x1p102 0x1p103
// want 0 float inf bits:7f7fffff inf -inf
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] * 2;
    a[1] = x[0] + x[1];
    a[2] = x[0] + x[2];
    a[3] = -x[0] - x[2];
}
