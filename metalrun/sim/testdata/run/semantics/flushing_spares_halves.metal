// Subnormals of half are kept under both options.
// semantics flush
// bind 1 half 0x1p-14 0x1p-24
// want 0 half 0x1p-15 0x1p-23
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]], device const half* x [[buffer(1)]])
{
    a[0] = x[0] / 2;
    a[1] = x[1] + x[1];
}
