// x + (y - x)*a, also outside of 0 and 1.
// dispatch threads=4 per=4
// bind 1 float 0 0.25 1 2
// want 0 float 2 3 6 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* t [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = mix(2.0f, 6.0f, t[i]);
}
