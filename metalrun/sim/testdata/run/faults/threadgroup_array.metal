// An index past a threadgroup array.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// fault 11:19 out of range of threadgroup "staged"
#include <metal_stdlib>
using namespace metal;

kernel void rotate(device int* a [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup int staged[4];
    staged[i + 1] = int(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[i] = staged[i];
}
