// hadd rounds down, rhadd up, both without overflow.
// bind 1 int 3 4 -3 -4
// bind 2 uint 4294967295 4294967294
// want 0 long 3 4 -4 -3 4294967294 4294967295 254
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const int* x [[buffer(1)]], device const uint* y [[buffer(2)]])
{
    a[0] = hadd(x[0], x[1]);
    a[1] = rhadd(x[0], x[1]);
    a[2] = hadd(x[2], x[3]);
    a[3] = rhadd(x[2], x[3]);
    a[4] = hadd(y[0], y[1]);
    a[5] = rhadd(y[0], y[1]);
    a[6] = hadd(uchar(255), uchar(254));
}
