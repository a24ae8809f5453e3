// A swizzle of a swizzle: wzyx.yw are the components z and x.
// want 0 float 3 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2* a [[buffer(0)]])
{
    float4 v = float4(1, 2, 3, 4);
    a[0] = v.wzyx.yw;
}
