// Vectors of narrow integers are not promoted: 200 + 100 wraps to 44, 127 + 1 to -128.
// want 0 int 44 255 -128 64
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    uchar2 u = uchar2(200, 0);
    char2 c = char2(127, -128);
    uchar2 sum = u + uchar2(100, 255);
    a[0] = sum.x;
    a[1] = sum.y;
    a[2] = (c + char2(1)).x;
    a[3] = (u >> uchar2(1)).x - (u >> uchar2(2)).x + 14;
}
