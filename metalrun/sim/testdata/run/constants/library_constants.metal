// Names of the library: pi and e to the nearest float, limits.
// want 0 float bits:40490fdb bits:402df854 bits:7f7fffff bits:00800000 0x1p-23 inf
// want 1 half bits:4248 65504
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device half* b [[buffer(1)]])
{
    a[0] = M_PI_F;
    a[1] = M_E_F;
    a[2] = FLT_MAX;
    a[3] = FLT_MIN;
    a[4] = FLT_EPSILON;
    a[5] = INFINITY;
    b[0] = M_PI_H;
    b[1] = HALF_MAX;
}
