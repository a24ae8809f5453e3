// Two threads store to one place.
// dispatch threads=64 per=64
// bind 0 int 0 x64
// find 10:16 wrong race write and write; 10:16
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    out[i / 2] = int(i);
}
