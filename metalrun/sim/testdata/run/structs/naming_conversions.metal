// A conversion function can be called by its name, and pointers move by what converts to an integer.
// want 0 int 8 2 7
#include <metal_stdlib>
using namespace metal;

struct N {
    int n;
    operator int() const { return n; }
    int twice() const { return 2 * this->operator int(); }
};
kernel void f(device int* a [[buffer(0)]])
{
    N n = {4};
    a[0] = n.twice();
    device int* p = a;
    integral_constant<int, 1> one;
    p += one;
    p[0] = 2;
    p[1] = n + 3;
}
