// An index past the length given at launch.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// local 0 12
// fault 11:15 write of 4 bytes at offset 12 is out of range of threadgroup(0) "staged", which has 12 bytes
#include <metal_stdlib>
using namespace metal;

kernel void stage(device int* a [[buffer(0)]], threadgroup int* staged [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    staged[i] = int(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[i] = staged[3 - i];
}
