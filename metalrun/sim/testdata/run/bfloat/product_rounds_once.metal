// 1.5^2 is exact; (1+2^-7)^2 = 1 + 2^-6 + 2^-14 loses its last term.
// bind 1 bfloat 1.5 bits:3f81
// want 0 bfloat 2.25 bits:3f82
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const bfloat* x [[buffer(1)]])
{
    a[0] = x[0] * x[0];
    a[1] = x[1] * x[1];
}
