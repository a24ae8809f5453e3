// Columns of a product are the left matrix times the right one's columns: 5*(1,2)+6*(3,4), 7*(1,2)+8*(3,4).
// want 0 float 23 34 31 46
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2x2* a [[buffer(0)]])
{
    float2x2 m = float2x2(1, 2, 3, 4), n = float2x2(5, 6, 7, 8);
    a[0] = m * n;
}
