// >> keeps the sign of signed numbers and shifts zeros into unsigned ones.
// want 0 long -4 -1 1 -1 2147483644
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]])
{
    int x = -8;
    uint top = 0x80000000;
    long far = -1099511627776;
    a[0] = x >> 1;
    a[1] = x >> 31;
    a[2] = top >> 31;
    a[3] = far >> 40;
    a[4] = uint(x) >> 1;
}
