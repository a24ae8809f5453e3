// Counts in threadgroup memory, added to device memory by each threadgroup: digits of 0..29 modulo 3.
// dispatch threads=30 per=12
// bind 0 uint 0 0 0
// want 0 uint 10 10 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup atomic_uint bins[3];
    if (t < 3) {
        atomic_store_explicit(&bins[t], 0u, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&bins[i % 3], 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < 3) {
        atomic_fetch_add_explicit(&a[t], atomic_load_explicit(&bins[t], memory_order_relaxed), memory_order_relaxed);
    }
}
