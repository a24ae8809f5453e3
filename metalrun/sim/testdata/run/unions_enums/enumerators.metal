// Enumerators count on from the one before.
// want 0 int 0 1 10 11 -1 0 11
#include <metal_stdlib>
using namespace metal;

enum Level { Low, Middle, High = 10, Higher, Below = -1, Zero };
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = Low;
    a[1] = Middle;
    a[2] = High;
    a[3] = Higher;
    a[4] = Below;
    a[5] = Zero;
    Level l = Higher;
    a[6] = l;
}
