// Rows of 8 floats do.
// dispatch threads=2 per=2
// bind 1 float 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// want 0 float 5 21
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* out [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    device const float* row = x + i * 8;
    float4 v = *(device const float4*)row;
    out[i] = v.x + v.w;
}
