// Zeros, infinities and NaN as in float.
// bind 1 half 0 1 nan
// want 0 half inf -inf nan bits:8000
// want 2 int 0 1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]], device int* b [[buffer(2)]])
{
    a[0] = x[1] / x[0];
    a[1] = -x[1] / x[0];
    a[2] = x[0] / x[0];
    a[3] = -x[0];
    b[0] = x[2] == x[2];
    b[1] = x[2] != x[2];
    b[2] = x[2] < x[1];
}
