// A shift by the width or more is defined: by the count modulo the width.
// dispatch threads=3 per=3
// bind 1 int 31 32 33
// want 0 int -2147483648 1 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device const int* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = 1 << x[i];
}
