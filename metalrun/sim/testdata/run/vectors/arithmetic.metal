// Operators work component by component, with scalars on either side.
// want 0 int 3 5 7 9 10 5 3 2 -2 -3 -4 -5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int4* a [[buffer(0)]])
{
    int4 v = int4(1, 2, 3, 4);
    a[0] = v * 2 + 1;
    a[1] = 10 / v;
    a[2] = -(v + int4(1));
}
