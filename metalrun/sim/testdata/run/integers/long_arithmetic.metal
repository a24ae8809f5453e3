// 64-bit products, quotients and wrap; (2^32+1)^2 is 2^33+1 modulo 2^64.
// want 0 long 12000000000 -3 8589934593 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]])
{
    long x = 3000000000;
    long y = -7;
    ulong z = 0x100000001ul;
    ulong top = 0xffffffffffffffff;
    a[0] = x * 4;
    a[1] = y / 2;
    a[2] = z * z;
    a[3] = top + 1;
    a[4] = top > z;
}
