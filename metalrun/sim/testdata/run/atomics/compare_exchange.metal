// A failed exchange puts the value that it found into expected.
// bind 0 int 5
// want 0 int 8
// want 1 int 0 5 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_int* a [[buffer(0)]], device int* b [[buffer(1)]])
{
    int expected = 4;
    b[0] = atomic_compare_exchange_weak_explicit(a, &expected, 7, memory_order_relaxed, memory_order_relaxed);
    b[1] = expected;
    bool done = false;
    while (!done) {
        done = atomic_compare_exchange_weak_explicit(a, &expected, 8, memory_order_relaxed, memory_order_relaxed);
    }
    b[2] = done;
}
