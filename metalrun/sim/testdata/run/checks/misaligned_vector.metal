// Rows of 5 floats hold no float4 that is aligned.
// dispatch threads=2 per=2
// bind 0 float 0 x2
// bind 1 float 1 2 3 4 5 6 7 8 9 10
// find 12:16 fault misaligned
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* out [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    device const float* row = x + i * 5;
    float4 v = *(device const float4*)row;
    out[i] = v.x + v.w;
}
