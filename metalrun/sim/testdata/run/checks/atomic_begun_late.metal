// A thread clears the count that others may already have added to.
// dispatch threads=64 per=64
// local 0 4
// want 0 uint 64
// find 13:5 wrong race atomic add and atomic store; 12:19
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* out [[buffer(0)]], threadgroup uint* n [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup atomic_uint* count = (threadgroup atomic_uint*)n;
    if (i == 0) { atomic_store_explicit(count, 0u, memory_order_relaxed); }
    atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == 0) { out[0] = atomic_load_explicit(count, memory_order_relaxed); }
}
