// Atomic operations need no order among each other.
// dispatch groups=2 per=64
// bind 0 uint 0
// want 0 uint 128
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_uint* out [[buffer(0)]])
{
    atomic_fetch_add_explicit(out, 1u, memory_order_relaxed);
}
