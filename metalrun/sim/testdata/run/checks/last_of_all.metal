// All threads store another value, and then go by the one that stays.
// dispatch threads=64 per=64
// local 0 4
// want 0 int 63 x64
// find 11:10 wrong race write and write; 11:10
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], threadgroup int* x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    x[0] = int(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = x[0];
}
