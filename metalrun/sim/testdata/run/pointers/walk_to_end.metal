// A loop from a pointer to another.
// bind 1 half 1 2 3 4
// want 0 half 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    half sum = 0;
    for (device const half *p = x, *end = x + 4; p != end; ++p) {
        sum += *p;
    }
    a[0] = sum;
}
