// Translation by (10, 20, 30) in homogeneous coordinates; its product with itself doubles it.
// want 0 float 11 22 33 1
// want 1 float 20 40 60 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]], device float4* b [[buffer(1)]])
{
    float4x4 m = float4x4(1);
    m[3] = float4(10, 20, 30, 1);
    a[0] = m * float4(1, 2, 3, 1);
    b[0] = (m * m)[3];
}
