// -0 equals 0 but divides to -inf; a sum is -0 only if both terms are.
// bind 1 float 0 -0
// want 0 float 1 -inf bits:0 bits:80000000 bits:80000000
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    float zero = x[0], minus = x[1];
    a[0] = zero == minus;
    a[1] = 1 / minus;
    a[2] = zero + minus;
    a[3] = minus + minus;
    a[4] = zero * -1;
}
