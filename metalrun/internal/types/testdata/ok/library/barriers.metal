#include <metal_stdlib>
using namespace metal;

kernel void barriers(device float* out [[buffer(0)]], threadgroup float* s [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    s[i] = out[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = s[i ^ 1];
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup_barrier(metal::mem_flags::mem_none);
    constexpr mem_flags both = mem_flags::mem_device | mem_flags::mem_threadgroup;
    threadgroup_barrier(both);
}
