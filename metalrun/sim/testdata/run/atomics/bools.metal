// A flag that any thread may set; exchange tells who was first.
// dispatch threads=8 per=8
// bind 0 uchar 0
// bind 1 uint 0
// want 0 uchar 1
// want 1 uint 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_bool* a [[buffer(0)]], device atomic_uint* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    if (i > 2 && !atomic_exchange_explicit(a, true, memory_order_relaxed)) {
        atomic_fetch_add_explicit(b, 1u, memory_order_relaxed);
    }
}
