// An ordinary function is preferred to a template that fits equally well; explicit arguments ask for the template.
// want 0 int 1 2 2
#include <metal_stdlib>
using namespace metal;

static int kind(int) { return 1; }
template <typename T> static int kind(T) { return 2; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = kind(0);
    a[1] = kind(0u);
    a[2] = kind<int>(0);
}
