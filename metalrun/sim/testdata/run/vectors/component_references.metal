// Columns of a matrix by reference, components by pointer to the whole.
// want 0 float 1 2 30 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2x2* a [[buffer(0)]])
{
    float2x2 m = float2x2(1, 2, 3, 4);
    thread float2& c = m[1];
    c.x *= 10;
    a[0] = m;
}
