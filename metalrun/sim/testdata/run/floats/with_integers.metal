// An integer operand becomes float where it meets one: 7/2*2.0 divides integers first.
// want 0 float 6 7 16777216 0.25
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    int seven = 7, big = 16777217;
    a[0] = seven / 2 * 2.0f;
    a[1] = seven / 2.0f * 2;
    a[2] = big * 1.0f;
    a[3] = 1 / (seven - 3.0f);
}
