// Braces inside may be left out; rows fill one after the other, and the rest is zero.
// want 0 int 3 4 5 0 8
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int m[2][3] = {1, 2, 3, 4, 5};
    int cube[2][2][2] = {1, 2, 3, 4, 5, 6, 7, 8};
    a[0] = m[0][2];
    a[1] = m[1][0];
    a[2] = m[1][1];
    a[3] = m[1][2];
    a[4] = cube[1][1][1];
}
