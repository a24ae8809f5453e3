// Minimum and maximum of 64-bit numbers, across threadgroups.
// dispatch threads=4 per=2
// bind 0 ulong 0xffffffffffffffff 0
// bind 1 ulong 0x100000000 0xffffffff 0x8000000000000000 5
// want 0 ulong 5 0x8000000000000000
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_ulong* a [[buffer(0)]], device const ulong* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    atomic_min_explicit(&a[0], x[i], memory_order_relaxed);
    atomic_max_explicit(&a[1], x[i], memory_order_relaxed);
}
