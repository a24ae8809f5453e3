// Nothing orders the threadgroups of a launch.
// dispatch groups=3 per=2
// bind 1 int 0 x8
// bind 0 int 0 x64
// find 11:10 wrong race write and read; 13:15
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device int* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    x[i] = int(i);
    threadgroup_barrier(mem_flags::mem_device);
    out[i] = x[i + 2];
}
