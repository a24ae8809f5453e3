// n if the reference looks against i, otherwise -n.
// want 0 float 1 2 -1 -2
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2* a [[buffer(0)]])
{
    float2 n = float2(1, 2), i = float2(0, -1);
    a[0] = faceforward(n, i, float2(0, 1));
    a[1] = faceforward(n, i, float2(0, -1));
}
