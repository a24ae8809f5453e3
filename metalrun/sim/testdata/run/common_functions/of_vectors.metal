// By component, with vectors as bounds.
// want 0 float 0 2 3 1
// want 1 float 0 1 0.5 1
// want 2 float 1 2 3 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]], device float4* b [[buffer(1)]], device float4* c [[buffer(2)]])
{
    float4 v = float4(-1, 2, 9, 1);
    a[0] = clamp(v, float4(0), float4(1, 2, 3, 4));
    b[0] = saturate(v * float4(1, 1, 0, 1) + float4(0, 0, 0.5f, 0));
    c[0] = mix(float4(0), float4(2, 4, 6, 8), float4(0.5f));
}
