// Quotients are truncated; unsigned ones see negative numbers as large.
// want 0 long -3 -3 3 0 2147483644 3 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device long* a [[buffer(0)]])
{
    int x = -7;
    uint seven = 7;
    ulong big = 10000000000;
    a[0] = x / 2;
    a[1] = 7 / (x + 5);
    a[2] = x / -2;
    a[3] = (x + 6) / 2;
    a[4] = uint(x) / 2;
    a[5] = seven % 4;
    a[6] = big % seven;
}
