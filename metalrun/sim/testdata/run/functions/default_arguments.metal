// Missing arguments take their defaults, from the right.
// want 0 float 2 3 6 7
#include <metal_stdlib>
using namespace metal;

static float scale(float x, float by = 2, int times = 1)
{
    for (int i = 0; i < times; i++) {
        x *= by;
    }
    return x;
}
kernel void f(device float* a [[buffer(0)]])
{
    a[0] = scale(1);
    a[1] = scale(1, 3);
    a[2] = scale(1.5f, 2, 2);
    a[3] = scale(7, 2, 0);
}
