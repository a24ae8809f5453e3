// Products of half vectors round by component: 2049 becomes 2048.
// bind 1 half 1 2 3 2048
// want 0 half 1 4 9 2048
#include <metal_stdlib>
using namespace metal;

kernel void f(device half4* a [[buffer(0)]], device const half4* x [[buffer(1)]])
{
    half4 v = x[0];
    half4 w = v;
    w.w = 1;
    a[0] = v * w + half4(0, 0, 0, 1);
}
