// What is read and not used does not count.
// dispatch threads=4 per=4
// want 0 int 1 1 1 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup int x[8];
    x[i] = 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int y = x[i + 2];
    out[i] = i < 2 ? y : 1;
}
