// as_type keeps the bits: 1 is 0x3f800000, -0 only a sign.
// want 0 int 0x3f800000 -2147483648 15360 -16384
// want 1 float bits:40490fdb
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device float* b [[buffer(1)]])
{
    float one = 1, zero = 0;
    a[0] = as_type<int>(one);
    a[1] = as_type<int>(-zero);
    a[2] = as_type<ushort>(half(one));
    a[3] = as_type<short>(half(-2 * one));
    b[0] = as_type<float>(0x40490fdb);
}
