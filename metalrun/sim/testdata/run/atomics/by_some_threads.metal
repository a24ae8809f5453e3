// Only threads inside of a branch take part.
// dispatch threads=40 per=40
// bind 0 int 0
// want 0 int 13
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i % 3 == 1) {
        atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
    }
}
