// 1+2^-8 and 1+3*2^-8 are ties; pi keeps its upper 16 bits; NaN stays NaN.
// dispatch threads=5 per=5
// bind 1 float 0x1.01p0 0x1.03p0 bits:40490fdb nan bits:80000000
// want 0 bfloat 1 bits:3f82 bits:4049 nan bits:8000
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = bfloat(x[i]);
}
