// Tickets put the elements in any order, which is no fault of the two stores of one value.
// dispatch threads=64 per=64
// bind 0 uint 0 x64
// bind 1 uint 0 x2
// find 13:15 undefined race write and write; 13:15
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* out [[buffer(0)]], device uint* counts [[buffer(1)]], uint i [[thread_index_in_threadgroup]])
{
    uint at = atomic_fetch_add_explicit((device atomic_uint*)counts, 1u, memory_order_relaxed);
    out[at] = i;
    counts[1] = 64;
}
