// Elements may be vectors whose components are written one by one.
// want 0 float 1 5 3 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float2 v[2] = {float2(1, 2), 3};
    v[0].y = 5;
    v[1].y += 7;
    a[0] = v[0].x;
    a[1] = v[0].y;
    a[2] = v[1].x;
    a[3] = v[1].y;
}
