// The transposed of two columns of three has three columns of two.
// want 0 float 1 4 2 5 3 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device float3x2* a [[buffer(0)]])
{
    float2x3 m = float2x3(1, 2, 3, 4, 5, 6);
    a[0] = transpose(m);
}
