// From 256 on the ulp of bfloat is 2: 257 falls to 256, 259 rises to 260.
// bind 1 bfloat 256 258 1
// want 0 bfloat 256 260
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const bfloat* x [[buffer(1)]])
{
    a[0] = x[0] + x[2];
    a[1] = x[1] + x[2];
}
