// 2^24 has even significand, so adding 1 gives a tie that falls down; 2^24+2 is odd and rises.
// bind 1 float 16777216 16777218 1
// want 0 float 16777216 16777220
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = x[0] + x[2];
    a[1] = x[1] + x[2];
}
