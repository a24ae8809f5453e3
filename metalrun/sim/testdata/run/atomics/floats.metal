// Float additions that are exact in any order.
// dispatch threads=16 per=8
// bind 0 float 0.5 100
// want 0 float 8.5 92
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_float* a [[buffer(0)]])
{
    atomic_fetch_add_explicit(&a[0], 0.5f, memory_order_relaxed);
    atomic_fetch_sub_explicit(&a[1], 0.5f, memory_order_relaxed);
}
