// Literals round to nearest and are float without a suffix.
// want 0 float 1000 0.5 5 16777216 bits:3dcccccd bits:1 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    a[0] = 1e3f;
    a[1] = .5f;
    a[2] = 5.;
    a[3] = 16777217.0f;
    a[4] = 0.1;
    a[5] = 1e-45f;
    a[6] = sizeof(1.5);
}
