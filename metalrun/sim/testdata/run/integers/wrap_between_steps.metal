// x * 2 >> 1 keeps the ninth bit of a uchar, x *= 2 loses it.
// want 0 int 200 144 72
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    uchar x = 200;
    a[0] = x * 2 >> 1;
    x *= 2;
    a[1] = x;
    x >>= 1;
    a[2] = x;
}
