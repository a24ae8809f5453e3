// A neighbour is read while it may be written.
// dispatch threads=64 per=64
// bind 0 int 0 x65
// find 11:10 wrong race write and read; 10:22
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    int there = max(x[i + 1], 0);
    x[i] = there + 1;
}
