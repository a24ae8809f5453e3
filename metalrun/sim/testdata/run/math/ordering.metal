// isordered and isunordered ask for NaN.
// bind 1 float 1 nan
// want 0 int 1 0 0 0 1 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = isordered(x[0], x[0]);
    a[1] = isordered(x[0], x[1]);
    a[2] = isordered(x[1], x[1]);
    a[3] = isunordered(x[0], x[0]);
    a[4] = isunordered(x[1], x[0]);
    a[5] = isunordered(x[1], x[1]);
}
