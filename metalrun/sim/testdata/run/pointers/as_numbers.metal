// Distances by way of integers: three floats are twelve bytes.
// bind 1 float 0 x4
// want 0 ulong 12
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    ulong first = (ulong)x, last = ulong(x + 3);
    a[0] = last - first;
}
