// i - 2*dot(n, i)*n: a ray falls onto the floor and leaves upward.
// want 0 float 1 1 3 -4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2* a [[buffer(0)]])
{
    a[0] = reflect(float2(1, -1), float2(0, 1));
    a[1] = reflect(float2(-3, -4), float2(1, 0));
}
