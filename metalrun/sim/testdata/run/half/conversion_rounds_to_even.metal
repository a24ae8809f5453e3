// 1+2^-11 and 1+3*2^-11 are ties; 65519 stays finite, 65520 does not; 2^-25 is a tie to 0.
// bind 1 float 0x1.002p0 0x1.006p0 65519 65520 0x1p-25 0x1.8p-25
// want 0 half 1 bits:3c02 65504 inf 0 bits:1
// dispatch threads=6 per=6
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = half(x[i]);
}
