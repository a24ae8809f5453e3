#include <metal_stdlib>
using namespace metal;

kernel void atomics(device atomic_int* a [[buffer(0)]], device atomic_uint& b [[buffer(1)]], device atomic<float>* c [[buffer(2)]], device int* out [[buffer(3)]], volatile device atomic_uint* v [[buffer(4)]])
{
    int old = atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
    old += atomic_fetch_max_explicit(&a[1], old, memory_order_relaxed);
    atomic_store_explicit(&b, 3u, memory_order_relaxed);
    uint x = atomic_load_explicit(&b, memory_order::memory_order_relaxed);
    atomic_fetch_add_explicit(c, 0.5f, memory_order_relaxed);
    int expected = 4;
    while (!atomic_compare_exchange_weak_explicit(a + 2, &expected, expected + 1, memory_order_relaxed, memory_order_relaxed)) {}
    out[0] = old + x + atomic_exchange_explicit(a, 7, memory_order_relaxed);
    atomic_fetch_or_explicit(v, 1u, memory_order_relaxed);
    threadgroup atomic_int t[4];
    atomic_store_explicit(&t[1], 0, metal::memory_order_relaxed);
    atomic_fetch_sub_explicit(t, 1, memory_order_relaxed);
}
