// Exact powers; a negative base with a fraction has none; anything to the 0 is 1.
// bind 1 float 2 -2 4 -8 0 nan
// want 0 float 1024 -8 2 nan inf 1 8 nan
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = pow(x[0], 10);
    a[1] = pow(x[1], 3);
    a[2] = pow(x[2], 0.5f);
    a[3] = pow(x[3], 0.5f);
    a[4] = pow(x[4], -1);
    a[5] = pow(x[5], 0);
    a[6] = powr(x[0], 3);
    a[7] = powr(x[1], 3);
}
