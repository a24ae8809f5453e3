// Arithmetic on narrow types happens in int.
// want 0 int 300 -1 60000 -1 510 -1 -1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    uchar x = 200, y = 100, one = 1, full = 255;
    ushort m = 300, n = 200;
    char minus = -1;
    a[0] = x + y;
    a[1] = one - 2;
    a[2] = m * n;
    a[3] = minus >> 1;
    a[4] = full << 1;
    a[5] = -one;
    a[6] = ~(full ^ 255);
}
