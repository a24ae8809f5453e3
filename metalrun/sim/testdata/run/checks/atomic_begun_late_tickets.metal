// So does one of a counter that gives out places.
// dispatch threads=64 per=64
// local 0 4
// bind 0 uint 64 x64
// find 13:15 wrong race atomic add and atomic store; 12:19
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* out [[buffer(0)]], threadgroup uint* n [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup atomic_uint* count = (threadgroup atomic_uint*)n;
    if (i == 0) { atomic_store_explicit(count, 0u, memory_order_relaxed); }
    uint at = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    if (at < 64) { out[at] = i; }
}
