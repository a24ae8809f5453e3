// 2^-14 / 2 is subnormal, 2^-24 the smallest; half of it is a tie to zero, three quarters of it rise.
// bind 1 half 0x1p-14 0x1p-24
// want 0 half bits:200 0 bits:1 bits:2
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = x[0] / 2;
    a[1] = x[1] / 2;
    a[2] = x[1] * 0.75h;
    a[3] = x[1] + x[1];
}
