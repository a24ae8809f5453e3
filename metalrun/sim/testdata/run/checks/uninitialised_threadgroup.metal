// Half of the array is read before it is written.
// dispatch threads=4 per=4
// bind 0 int 0 x64
// find 13:15 wrong uninitialised threadgroup "x" (uninitialised_threadgroup.metal:10:5); 10:5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup int x[8];
    x[i] = 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = x[i + 2];
}
