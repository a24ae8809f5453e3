// atan2 tells the quadrants apart, by the signs of zeros too.
// bind 1 float 1 0 -1 -0 -0 1
// bind 2 float 0 -1 0 -1 1 -1
// want 0 float bits:3fc90fdb bits:40490fdb bits:bfc90fdb bits:c0490fdb -0 bits:4016cbe4
// dispatch threads=6 per=6
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* y [[buffer(1)]], device const float* x [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    a[i] = atan2(y[i], x[i]);
}
