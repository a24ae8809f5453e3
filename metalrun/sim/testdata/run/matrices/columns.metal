// m[c] is a column, m[c][r] its element; scalars fill column by column.
// want 0 float 3 4 1 2 4 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float2x2 m = float2x2(1, 2, 3, 4);
    a[0] = m[1].x;
    a[1] = m[1][1];
    float2x2 n = float2x2(float2(1, 2), float2(3, 4));
    a[2] = n[0][0];
    a[3] = n[0][1];
    m[0] = float2(4, 3);
    a[4] = m[0][0];
    a[5] = m[0][1];
}
