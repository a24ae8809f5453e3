// Compound assignments on packed halves in memory.
// bind 0 half 1 2 3 4
// want 0 half 3 6 6 8
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_half2* a [[buffer(0)]])
{
    a[0] *= 3;
    a[1] += a[1];
}
