// Vectors from lists in braces.
// want 0 float 1 2 3 4 5 6 7 8 0 0 0 0
#include <metal_stdlib>
using namespace metal;

static float4 make(float x) { return {x, x + 1, x + 2, x + 3}; }
kernel void f(device float4* a [[buffer(0)]])
{
    float4 v = {1, 2, 3, 4};
    a[0] = v;
    a[1] = make(5);
    float4 z{};
    a[2] = z;
}
