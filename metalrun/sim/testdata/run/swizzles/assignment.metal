// A swizzle without repetition can be assigned; other components stay.
// want 0 float 10 2 30 4 7 6 5 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]])
{
    float4 v = float4(1, 2, 3, 4);
    v.xz = float2(10, 30);
    a[0] = v;
    v.zyx = float3(5, 6, 7);
    a[1] = v;
}
