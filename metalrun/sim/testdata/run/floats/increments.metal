// ++ and -- add and subtract 1, with rounding.
// want 0 float 1.5 2.5 1.5 16777216
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float x = 1.5f, big = 16777216;
    a[0] = x++;
    a[1] = x;
    a[2] = --x;
    a[3] = ++big;
}
