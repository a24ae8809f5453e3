// The fraction goes first, so 255.9 is 255 and -128.9 is -128 without saturation.
// bind 1 float 255.9 256 127.9 -128.9 65535.5 32768
// want 0 int 255 255 127 -128 65535 32767
// find 12:19 wrong undefined out of the range
// find 16:19 wrong undefined out of the range
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = uchar(x[0]);
    a[1] = uchar(x[1]);
    a[2] = char(x[2]);
    a[3] = char(x[3]);
    a[4] = ushort(x[4]);
    a[5] = short(x[5]);
}
