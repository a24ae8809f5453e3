// Zeros keep their sign, NaN gives 0.
// dispatch threads=6 per=6
// bind 1 float -3 0 -0 7 nan -inf
// want 0 float -1 0 -0 1 0 -1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = sign(x[i]);
}
