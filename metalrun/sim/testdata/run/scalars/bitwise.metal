// Bitwise operators work on promoted values: the complement of a uchar is a negative int.
// want 0 int -1 2 7 5 -16
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int six = 6, three = 3;
    uchar low = 0x0f;
    a[0] = ~0;
    a[1] = six & three;
    a[2] = six | three;
    a[3] = six ^ three;
    a[4] = ~low;
}
