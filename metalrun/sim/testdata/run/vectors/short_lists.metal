// A braced list may leave components out: they are zero.
// want 0 int 1 2 3 0 7 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int4 v = {1, 2, 3};
    for (int i = 0; i < 4; i++) a[i] = v[i];
    int2 w = {7};
    a[4] = w.x;
    a[5] = w.y;
}
