// All threads store the same value, and then go by it.
// dispatch threads=64 per=64
// local 0 4
// bind 1 int 7
// want 0 int 7 x64
// find 13:10 undefined race write and write; 13:10
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device const int* in [[buffer(1)]], threadgroup int* x [[threadgroup(0)]],
              uint i [[thread_index_in_threadgroup]])
{
    x[0] = in[0];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = x[0];
}
