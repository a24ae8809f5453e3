// ## joins tokens before the result is scanned; arguments beside it are not expanded, so one level more is needed.
// want 0 int 12 30 77
#include <metal_stdlib>
using namespace metal;

#define PASTE(x, y) x##y
#define JOIN(x, y) PASTE(x, y)
#define N 7
kernel void f(device int* a [[buffer(0)]])
{
    int v3 = 30, v7 = 77, vN = 0;
    a[0] = PASTE(1, 2);
    a[1] = PASTE(v, 3) + PASTE(v, N);
    a[2] = JOIN(v, N);
}
