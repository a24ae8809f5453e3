// as_type shows sign, 8 bits of exponent and 7 of significand.
// want 0 ushort 0x3f80 0xc040 0x7f7f
// want 1 bfloat 1.5
#include <metal_stdlib>
using namespace metal;

kernel void f(device ushort* a [[buffer(0)]], device bfloat* b [[buffer(1)]])
{
    a[0] = as_type<ushort>(1.0bf);
    a[1] = as_type<ushort>(-3.0bf);
    a[2] = as_type<ushort>(MAXBFLOAT);
    b[0] = as_type<bfloat>(ushort(0x3fc0));
}
