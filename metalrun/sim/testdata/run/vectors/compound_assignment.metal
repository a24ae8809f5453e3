// Compound assignments and ++ change all components.
// want 0 float 4 6 8 3 4 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float3 v = float3(1, 2, 3);
    v += 1;
    v *= float3(2);
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
    v /= 2;
    ++v;
    a[3] = v[0];
    a[4] = v[1];
    a[5] = v[2];
}
