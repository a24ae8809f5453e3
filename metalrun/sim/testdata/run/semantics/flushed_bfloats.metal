// bfloats are flushed like floats.
// semantics flush
// bind 1 bfloat 0x1p-126 0x1p-127
// want 0 bfloat 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const bfloat* x [[buffer(1)]])
{
    a[0] = x[0] * 0.5bf;
    a[1] = x[1] + x[1];
}
