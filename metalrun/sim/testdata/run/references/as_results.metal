// A function that returns a reference can be assigned to.
// want 0 int 1 50 30 1
#include <metal_stdlib>
using namespace metal;

static thread int& larger(thread int& x, thread int& y) { return x > y ? x : y; }
kernel void f(device int* a [[buffer(0)]])
{
    int x = 1, y = 2;
    larger(x, y) = 50;
    a[0] = x;
    a[1] = y;
    larger(x, y) -= 20;
    a[2] = y;
    a[3] = larger(x, x);
}
