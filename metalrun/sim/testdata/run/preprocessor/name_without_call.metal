// A function-like macro is not replaced where no parenthesis follows.
// want 0 int 40 2
#include <metal_stdlib>
using namespace metal;

#define twice(x) 2 * x
static int (twice)(int x) { return 10 * x; }
template <int (*F)(int)> static int apply(int x) { return F(x); }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = apply<twice>(4);
    a[1] = twice(1);
}
