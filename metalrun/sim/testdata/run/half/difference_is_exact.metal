// 1.001 is stored as 1+2^-10; its distance from 1 is HALF_EPSILON.
// want 0 half bits:1400
// want 1 int 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device int* b [[buffer(1)]])
{
    half x = 1.001h;
    a[0] = x - 1.0h;
    b[0] = a[0] == HALF_EPSILON;
}
