// Device memory that one thread writes and another of its threadgroup reads needs a barrier that names it.
// dispatch threads=64 per=64
// bind 1 int 0 x64
// bind 0 int 0 x64
// find 13:15 wrong race read and write; 11:10
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device int* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    x[i] = int(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = x[63 - i];
}
