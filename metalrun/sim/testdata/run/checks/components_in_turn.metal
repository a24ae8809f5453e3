// With a barrier between there is no race.
// dispatch threads=2 per=2
// bind 0 float 7 x4
// want 0 float 7 1 2 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    if (i == 0) {
        out->y = 1;
    }
    threadgroup_barrier(mem_flags::mem_device);
    if (i == 1) {
        (*out)[2] = 2;
    }
}
