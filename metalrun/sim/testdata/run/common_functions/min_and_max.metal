// Of a number and a NaN the number is taken.
// bind 1 float 1 -2 nan inf
// want 0 float -2 1 1 1 nan inf 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = min(x[0], x[1]);
    a[1] = max(x[0], x[1]);
    a[2] = fmin(x[0], x[2]);
    a[3] = fmax(x[2], x[0]);
    a[4] = max(x[2], x[2]);
    a[5] = max(x[0], x[3]);
    a[6] = min(x[0], x[3]);
}
