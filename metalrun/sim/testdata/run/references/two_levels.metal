// A reference handed on from function to function still names the first variable.
// want 0 int 21
#include <metal_stdlib>
using namespace metal;

static void inner(thread int& x) { x *= 3; }
static void outer(thread int& x)
{
    x += 2;
    inner(x);
}
kernel void f(device int* a [[buffer(0)]])
{
    int x = 5;
    outer(x);
    a[0] = x;
}
