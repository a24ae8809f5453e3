// Two references to one variable: the second write is seen through the first.
// want 0 int 12 12
#include <metal_stdlib>
using namespace metal;

static int both(thread int& x, thread int& y)
{
    x = 5;
    y = 6;
    return x + y;
}
kernel void f(device int* a [[buffer(0)]])
{
    int v = 0;
    a[0] = both(v, v);
    a[1] = v * 2;
}
