// A barrier that half of the threads reach.
// dispatch threads=8 per=8
// bind 0 int 0 x8
// fault 11:9 threadgroup_barrier reached by 4 of 8 live threads
#include <metal_stdlib>
using namespace metal;

kernel void arrive(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i < 4) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    a[i] = 1;
}
