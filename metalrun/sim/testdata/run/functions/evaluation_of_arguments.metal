// An argument is evaluated once, before the body.
// want 0 int 1 1 2
#include <metal_stdlib>
using namespace metal;

static int square(int x) { return x * x; }
kernel void f(device int* a [[buffer(0)]])
{
    int n = 1;
    a[0] = square(n++);
    a[1] = n - 1;
    a[2] = n;
}
