// A function as template argument, a plain one and one of an overload set.
// want 0 int 9 -3 4
#include <metal_stdlib>
using namespace metal;

static int square(int x) { return x * x; }
static int negative(int x) { return -x; }
static float negative(float x) { return -x; }
template <int (*F)(int)> static int apply(int x) { return F(x); }
template <int (*F)(int), int (*G)(int)> static int compose(int x) { return F(G(x)); }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = apply<square>(3);
    a[1] = apply<&negative>(3);
    a[2] = compose<square, negative>(2);
}
