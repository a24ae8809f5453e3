// Zeros keep their sign; the sine of the float next to pi is the distance to pi; infinities give NaN.
// bind 1 float 0 -0 bits:40490fdb inf
// want 0 float 0 -0 bits:b3bbbd2e nan
// want 2 float 1 1 -1 nan
// want 3 float 0 -0 bits:33bbbd2e nan
// dispatch threads=4 per=4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device float* b [[buffer(2)]], device float* c [[buffer(3)]], uint i [[thread_position_in_grid]])
{
    a[i] = sin(x[i]);
    b[i] = cos(x[i]);
    c[i] = tan(x[i]);
}
