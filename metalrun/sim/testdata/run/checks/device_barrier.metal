// With such a barrier there is no race.
// dispatch threads=4 per=4
// bind 1 int 0 x4
// want 0 int 3 2 1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device int* x [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    x[i] = int(i);
    threadgroup_barrier(mem_flags::mem_device);
    out[i] = x[3 - i];
}
