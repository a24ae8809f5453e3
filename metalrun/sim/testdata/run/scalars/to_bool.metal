// Everything that is not zero converts to true, whatever its low bits; true is 1 in arithmetic.
// bind 1 float 0.25 -0 nan 0
// want 0 int 1 1 0 1 0 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    int n = 256;
    a[0] = bool(n);
    a[1] = bool(x[0]);
    a[2] = bool(x[1]);
    a[3] = bool(x[2]);
    a[4] = bool(x[3]);
    a[5] = true + (n == 256);
}
