// Every thread adds its index: 0 + 1 + ... + 99.
// dispatch threads=100 per=32
// bind 0 int 0
// want 0 int 4950
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_add_explicit(a, int(i), memory_order_relaxed);
}
