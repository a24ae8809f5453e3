// 0 - 1 in uint is 2^32 - 1; int wraps from its smallest to its largest value.
// bind 0 uint 0
// bind 1 int -2147483648
// want 0 uint 4294967295
// want 1 int 2147483647
// want 2 int 0 -2147483648
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_uint* a [[buffer(0)]], device atomic_int* b [[buffer(1)]], device int* c [[buffer(2)]])
{
    c[0] = atomic_fetch_sub_explicit(a, 1u, memory_order_relaxed);
    c[1] = atomic_fetch_sub_explicit(b, 1, memory_order_relaxed);
}
