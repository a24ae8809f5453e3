// Integers round when they become half and are truncated when they come back.
// bind 1 int 2049 2051 70000 -70000
// want 0 half 2048 2052 inf -inf
// want 2 int 2 -2 65504
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const int* x [[buffer(1)]], device int* b [[buffer(2)]])
{
    for (int i = 0; i < 4; i++) {
        a[i] = half(x[i]);
    }
    half y = 2.9h;
    b[0] = int(y);
    b[1] = int(-y);
    b[2] = int(HALF_MAX);
}
