// Initialisation by braces, with and without =, and of nothing.
// want 0 int 5 6 0 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int x = {5}, y{6}, z{};
    a[0] = x;
    a[1] = y;
    a[2] = z;
    a[3] = int{7};
}
