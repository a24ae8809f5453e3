// The old value gives each thread a slot of its own: every slot is taken once.
// dispatch threads=8 per=8
// bind 0 uint 0
// want 0 uint 8
// want 1 uint 1 x8
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_uint* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    uint slot = atomic_fetch_add_explicit(a, 1u, memory_order_relaxed);
    b[slot] = 1;
}
