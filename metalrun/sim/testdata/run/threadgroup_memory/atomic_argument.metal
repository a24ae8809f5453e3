// Atomics in memory by argument.
// dispatch threads=8 per=8
// local 0 16
// want 0 int 28
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], threadgroup atomic_int* sum [[threadgroup(0)]], uint t [[thread_index_in_threadgroup]])
{
    if (t == 0) {
        atomic_store_explicit(sum, 0, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(sum, int(t), memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
        a[0] = atomic_load_explicit(sum, memory_order_relaxed);
    }
}
