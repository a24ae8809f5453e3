// Floats out of range become the end of the range.
// bind 1 float 3e9 -3e9 5e9 -1 300 -200
// want 0 long 2147483647 -2147483648 4294967295 0 255 -128
// find 15:17 wrong undefined out of the range
// find 16:17 wrong undefined out of the range
// find 17:18 wrong undefined out of the range
// find 18:18 wrong undefined out of the range
// find 19:19 wrong undefined out of the range
// find 20:18 wrong undefined out of the range
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = int(x[0]);
    a[1] = int(x[1]);
    a[2] = uint(x[2]);
    a[3] = uint(x[3]);
    a[4] = uchar(x[4]);
    a[5] = char(x[5]);
}
