// half to integers saturates by the integer's range.
// bind 1 half 65504 -1 inf 2.5
// want 0 int 65504 32767 0 65535 2
// find 13:19 wrong undefined out of the range
// find 14:19 wrong undefined out of the range
// find 15:20 wrong undefined out of the range
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = int(x[0]);
    a[1] = short(x[0]);
    a[2] = uchar(x[1]);
    a[3] = ushort(x[2]);
    a[4] = char(x[3]);
}
