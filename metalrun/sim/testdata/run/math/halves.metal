// Functions of half round to half: e is nearest to 1392/512; log2 and exp2 of powers are exact.
// bind 1 half 1 1024 -3 2.5
// want 0 half bits:4170 10 0.125 2 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = exp(x[0]);
    a[1] = log2(x[1]);
    a[2] = exp2(x[2]);
    a[3] = rint(x[3]);
    a[4] = floor(x[3]);
}
