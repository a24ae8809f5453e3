// A scalar becomes a vector wherever one is wanted.
// want 0 float 2 2 3 3 0.5 0.5
#include <metal_stdlib>
using namespace metal;

static float2 half_of(float2 v) { return v / 2; }
kernel void f(device float2* a [[buffer(0)]])
{
    float2 v = 2;
    a[0] = v;
    v = 3;
    a[1] = v;
    a[2] = half_of(1);
}
