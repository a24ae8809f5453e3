// An output that is read although it holds nothing; the pattern is negative.
// dispatch threads=2 per=2
// want 0 int 1 1
// find 10:17 wrong uninitialised buffer(0) "out"; 8:15
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i] = out[i] < 0 ? 1 : 2;
}
