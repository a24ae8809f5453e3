// Straight on without a change of medium; with eta 2 and dot -1/2, 1 - 4*(1 - 1/4) is negative: nothing passes.
// want 0 float 0 -1 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2* a [[buffer(0)]])
{
    a[0] = refract(float2(0, -1), float2(0, 1), 1.0f);
    a[1] = refract(float2(0.5f, -0.5f), float2(0, 1), 2.0f);
}
