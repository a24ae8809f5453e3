// select takes its second argument where the condition holds.
// want 0 float 10 2 30 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]])
{
    float4 u = float4(1, 2, 3, 4), v = float4(10, 20, 30, 40);
    a[0] = select(u, v, bool4(true, false, true, false));
}
