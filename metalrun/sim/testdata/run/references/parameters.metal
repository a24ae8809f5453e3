// A function changes its caller's variables through references.
// want 0 int 2 1 5 6
#include <metal_stdlib>
using namespace metal;

static void exchange(thread int& x, thread int& y)
{
    int t = x;
    x = y;
    y = t;
}
kernel void f(device int* a [[buffer(0)]])
{
    int x = 1, y = 2;
    exchange(x, y);
    a[0] = x;
    a[1] = y;
    int v[2] = {6, 5};
    exchange(v[0], v[1]);
    a[2] = v[0];
    a[3] = v[1];
}
