// A const reference takes values that have no variable.
// want 0 int 8 9 4
#include <metal_stdlib>
using namespace metal;

static int next(const thread int& x) { return x + 1; }
kernel void f(device int* a [[buffer(0)]])
{
    int x = 3;
    a[0] = next(7);
    a[1] = next(x + 5);
    a[2] = next(x);
}
