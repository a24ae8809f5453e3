// From 2048 on the ulp of half is 2: 2049 is a tie that falls to 2048, 2051 one that rises to 2052.
// bind 1 half 2048 2050 1
// want 0 half 2048 2052
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = x[0] + x[2];
    a[1] = x[1] + x[2];
}
