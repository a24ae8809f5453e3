// auto takes the type of the initialiser: integer division, float division, unsigned wrap, promotion of char.
// want 0 float 0 0.5 4294967296 98 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    auto i = 1;
    auto x = 1.0f;
    auto u = 1u - 2;
    auto c = 'a' + 1;
    a[0] = i / 2;
    a[1] = x / 2;
    a[2] = u;
    a[3] = c;
    a[4] = sizeof(c);
}
