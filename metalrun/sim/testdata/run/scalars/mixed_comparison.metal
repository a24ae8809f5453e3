// Operands of a comparison are converted first: -1 becomes 4294967295 beside uint, but stays -1 beside long and int.
// want 0 int 0 1 1 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int minus = -1;
    uint one = 1;
    a[0] = minus < one;
    a[1] = long(minus) < one;
    a[2] = char(minus) < uchar(one);
    a[3] = ushort(65535) > minus;
}
