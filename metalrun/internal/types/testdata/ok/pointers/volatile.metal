#include <metal_stdlib>
using namespace metal;

void spin(volatile device uint* flag) { while (*flag == 0) {} }
kernel void flags(device uint* f [[buffer(0)]], volatile device uint* g [[buffer(1)]], device atomic_uint* a [[buffer(2)]])
{
    spin(f);
    spin(g);
    g[1] = 2;
    volatile int n = 3;
    n++;
    f[1] = n;
    atomic_store_explicit(a, f[0], memory_order_relaxed);
}
