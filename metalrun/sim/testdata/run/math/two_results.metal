// sincos gives the sine and writes the cosine.
// bind 1 float 0 -0
// want 0 float 0 1 -0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    float c;
    a[0] = sincos(x[0], c);
    a[1] = c;
    a[2] = sincos(x[1], c);
    a[3] = c;
}
