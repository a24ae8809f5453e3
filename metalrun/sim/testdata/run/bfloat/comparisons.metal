// Comparisons with float happen in float: 1.001 is more than bfloat 1.
// bind 1 bfloat 1 nan -0 0
// want 0 int 1 0 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const bfloat* x [[buffer(1)]])
{
    float y = 1.001f;
    a[0] = x[0] < y;
    a[1] = x[1] == x[1];
    a[2] = x[1] != x[0];
    a[3] = x[2] == x[3];
    a[4] = x[0] > x[0];
}
