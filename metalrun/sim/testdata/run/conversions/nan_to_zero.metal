// NaN becomes 0 in every integer type, which the specification promises.
// bind 1 float nan
// want 0 long 0 0 0 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = int(x[0]);
    a[1] = uint(x[0]);
    a[2] = long(x[0]);
    a[3] = uchar(x[0]);
    a[4] = short(x[0]);
    a[5] = int(half(x[0]));
}
