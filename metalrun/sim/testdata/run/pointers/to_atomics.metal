// Plain memory seen as atomic through a cast.
// dispatch threads=10 per=10
// bind 0 uint 0 0
// want 0 uint 10 45
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_add_explicit((device atomic_uint*)a, 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(reinterpret_cast<device atomic_uint*>(&a[1]), i, memory_order_relaxed);
}
