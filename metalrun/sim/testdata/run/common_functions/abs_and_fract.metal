// fract is the distance from the floor, and stays below 1.
// dispatch threads=4 per=4
// bind 1 float 1.25 -1.25 -0x1p-40 3
// want 0 float 1.25 1.25 0x1p-40 3
// want 2 float 0.25 0.75 bits:3f7fffff 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device float* b [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    a[i] = abs(x[i]);
    b[i] = fract(x[i]);
}
