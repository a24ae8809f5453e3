// Arithmetic of packed vectors with each other, with scalars and with unpacked ones.
// want 0 int 5 7 9 2 4 6 11 22 33
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_int3* a [[buffer(0)]])
{
    packed_int3 p = packed_int3(1, 2, 3), q = packed_int3(4, 5, 6);
    a[0] = p + q;
    a[1] = p * 2;
    a[2] = p + int3(10, 20, 30);
}
