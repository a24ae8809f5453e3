// The qualified forms of length, distance and normalize.
// want 0 float 5 5 13 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float2 v = float2(3, 4);
    a[0] = precise::length(v);
    a[1] = fast::length(v);
    a[2] = precise::distance(float2(0), float2(5, 12));
    a[3] = fast::normalize(float2(0, 8)).y;
}
