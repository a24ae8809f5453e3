// Loads and stores without arithmetic.
// bind 0 int 3 4
// want 0 int 30 40
#include <metal_stdlib>
using namespace metal;

kernel void f(device atomic_int* a [[buffer(0)]])
{
    for (int k = 0; k < 2; k++) {
        int x = atomic_load_explicit(a + k, memory_order_relaxed);
        atomic_store_explicit(a + k, 10 * x, memory_order_relaxed);
    }
}
