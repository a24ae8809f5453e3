// Bitwise operators, shifts and remainders of integer vectors.
// want 0 uint 2 4 8 16 1 2 0 1 4294967294 4294967293 4294967292 4294967291 5 7 7 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint4* a [[buffer(0)]])
{
    uint4 v = uint4(1, 2, 3, 4);
    a[0] = uint4(1) << v;
    a[1] = v % 3;
    a[2] = ~v;
    a[3] = (v | 4) ^ (v & 2) ^ uint4(0, 3, 2, 1);
}
