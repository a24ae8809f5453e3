// Square roots are correctly rounded; the root of -0 is -0, of a negative number NaN.
// bind 1 float 2 0.25 -0 -1 inf
// want 0 float bits:3fb504f3 0.5 -0 nan inf
// want 2 float bits:3f3504f3 2 -inf nan 0
// dispatch threads=5 per=5
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device float* b [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    a[i] = sqrt(x[i]);
    b[i] = rsqrt(x[i]);
}
