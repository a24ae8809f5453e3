// exchange gives the old value and sets the new one.
// bind 0 int 5
// want 0 int 9
// want 1 int 5 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_int* a [[buffer(0)]], device int* b [[buffer(1)]])
{
    b[0] = atomic_exchange_explicit(a, 7, memory_order_relaxed);
    b[1] = atomic_exchange_explicit(a, 9, memory_order_relaxed);
}
