// Arguments fill the components from left to right; a single scalar fills all.
// want 0 float 1 2 3 4 5 6 7 8 9 9 9 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]])
{
    a[0] = float4(float2(1, 2), 3, 4);
    a[1] = float4(5, float3(6, 7, 8));
    a[2] = float4(9);
}
