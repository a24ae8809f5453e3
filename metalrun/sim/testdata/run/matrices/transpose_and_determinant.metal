// det of rows (2,1,0),(0,3,1),(1,2,4) is 2*(12-2) - 1*(0-1) = 21.
// want 0 float 1 3 2 4
// want 1 float -2 21
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2x2* a [[buffer(0)]], device float* b [[buffer(1)]])
{
    float2x2 m = float2x2(1, 2, 3, 4);
    a[0] = transpose(m);
    b[0] = determinant(m);
    b[1] = determinant(float3x3(float3(2, 0, 1), float3(1, 3, 2), float3(0, 1, 4)));
}
