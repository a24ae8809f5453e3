// Addition, subtraction and negation by element, scaling from either side.
// want 0 float 6 8 10 12 4 4 4 4 2 4 6 8 -1 -2 -3 -4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2x2* a [[buffer(0)]])
{
    float2x2 m = float2x2(1, 2, 3, 4), n = float2x2(5, 6, 7, 8);
    a[0] = m + n;
    a[1] = n - m;
    a[2] = 2 * m;
    a[3] = -m;
}
