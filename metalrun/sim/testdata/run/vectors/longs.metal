// Vectors of 64-bit integers keep all bits.
// want 0 long 4294967296 -4294967297 8589934592 -8589934594
#include <metal_stdlib>
using namespace metal;

kernel void f(device long2* a [[buffer(0)]])
{
    long2 v = long2(1L << 32, -(1L << 32) - 1);
    a[0] = v;
    a[1] = v * 2;
}
