// With a barrier the store comes first, and places are given out in any order; what is the same in any order needs none.
// dispatch threads=64 per=64
// local 0 8
// want 0 uint 64 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* out [[buffer(0)]], threadgroup uint* n [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup atomic_uint* count = (threadgroup atomic_uint*)n;
    if (i == 0) { atomic_store_explicit(count, 0u, memory_order_relaxed); }
    atomic_store_explicit(count + 1, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_max_explicit(count + 1, 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < 2) { out[i] = atomic_load_explicit(count + i, memory_order_relaxed); }
}
