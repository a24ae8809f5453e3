// or collects bits, and removes them, xor flips: 0^1^2^3^4^5 = 1.
// dispatch threads=6 per=6
// bind 0 uint 0 0xff 0
// want 0 uint 0x3f 0xc0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_uint* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_or_explicit(a, 1u << i, memory_order_relaxed);
    atomic_fetch_and_explicit(a + 1, ~(1u << i), memory_order_relaxed);
    atomic_fetch_xor_explicit(a + 2, i, memory_order_relaxed);
}
