// Compound assignment through a swizzle.
// want 0 float 2 2 6 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]])
{
    float4 v = float4(1, 2, 3, 4);
    v.xz *= 2;
    a[0] = v;
}
