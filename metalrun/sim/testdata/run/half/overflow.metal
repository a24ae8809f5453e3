// 65504 is the largest half, its ulp 32: 15 more are lost, 16 more reach infinity.
// bind 1 half 65504 15 16 256 255
// want 0 half 65504 inf 65280 inf
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = x[0] + x[1];
    a[1] = x[0] + x[2];
    a[2] = x[3] * x[4];
    a[3] = x[3] * x[3];
}
