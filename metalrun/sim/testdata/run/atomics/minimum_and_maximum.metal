// Signed and unsigned order differ: -1 is the least int and the greatest uint.
// dispatch threads=4 per=4
// bind 0 int 0 0
// bind 1 uint 7 7
// bind 2 int 3 -1 5 2
// want 0 int -1 5
// want 1 uint 2 4294967295
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_int* a [[buffer(0)]], device atomic_uint* b [[buffer(1)]], device const int* x [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_min_explicit(&a[0], x[i], memory_order_relaxed);
    atomic_fetch_max_explicit(&a[1], x[i], memory_order_relaxed);
    atomic_fetch_min_explicit(&b[0], uint(x[i]), memory_order_relaxed);
    atomic_fetch_max_explicit(&b[1], uint(x[i]), memory_order_relaxed);
}
