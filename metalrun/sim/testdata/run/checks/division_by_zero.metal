// A division by zero.
// dispatch threads=3 per=3
// bind 1 int 0 1 2
// bind 0 int 0 x64
// find 11:16 wrong undefined division
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device const int* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = 6 / x[i];
}
