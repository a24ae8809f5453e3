// Any operation by a loop: all threads multiply by 2 or 3. 2^3 * 3^3 = 216.
// dispatch threads=6 per=6
// bind 0 uint 1
// want 0 uint 216
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    uint old = atomic_load_explicit(a, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(a, &old, old * (2 + i % 2), memory_order_relaxed, memory_order_relaxed)) {
    }
}
