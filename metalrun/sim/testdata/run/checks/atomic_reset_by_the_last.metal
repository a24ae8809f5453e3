// The last that counts clears the count for the next launch: no other comes after it.
// dispatch groups=3 per=32
// bind 0 uint 0
// want 0 uint 0
// want 1 uint 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_uint* count [[buffer(0)]], device uint* out [[buffer(1)]], uint i [[thread_index_in_threadgroup]], uint groups [[threadgroups_per_grid]])
{
    if (i == 0 && atomic_fetch_add_explicit(count, 1u, memory_order_relaxed) == groups - 1) {
        out[0] = groups;
        atomic_store_explicit(count, 0u, memory_order_relaxed);
    }
}
