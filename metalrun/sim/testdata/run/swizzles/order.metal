// Components may be taken in any order and repeatedly.
// want 0 float 4 3 2 1 1 1 2 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]])
{
    float4 v = float4(1, 2, 3, 4);
    a[0] = v.wzyx;
    a[1] = v.xxyy;
}
