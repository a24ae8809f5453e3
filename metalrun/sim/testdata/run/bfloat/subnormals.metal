// 2^-127 is subnormal and kept; 2^-133 is the smallest, half of it a tie to zero.
// bind 1 bfloat 0x1p-126 0x1p-133
// bind 2 float 0x1p-127
// want 0 bfloat bits:0040 0 bits:0040 bits:0003
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const bfloat* x [[buffer(1)]], device const float* y [[buffer(2)]])
{
    bfloat two = 2.0bf;
    a[0] = x[0] / two;
    a[1] = x[1] / two;
    a[2] = bfloat(y[0]);
    a[3] = x[1] + x[1] + x[1];
}
