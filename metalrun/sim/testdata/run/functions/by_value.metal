// Parameters are copies.
// want 0 int 10 5
#include <metal_stdlib>
using namespace metal;

static int change(int x)
{
    x *= 2;
    return x;
}
kernel void f(device int* a [[buffer(0)]])
{
    int x = 5;
    a[0] = change(x);
    a[1] = x;
}
