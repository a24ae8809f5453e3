// Vectors whose inverse length is a power of two keep every bit.
// want 0 float 0.5 0.5 0.5 0.5 0 -1 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]])
{
    a[0] = normalize(float4(1));
    a[1] = normalize(float4(0, -4, 0, 0));
}
