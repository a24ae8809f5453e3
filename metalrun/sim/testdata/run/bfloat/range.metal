// bfloat has the range of float: 2^100 * 2^27 is finite, once more 2 is not; the largest float rounds to infinity.
// bind 1 bfloat 0x1p100 0x1p27 2
// bind 2 float 0x1.fffffep127
// want 0 bfloat 0x1p127 inf inf
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const bfloat* x [[buffer(1)]], device const float* y [[buffer(2)]])
{
    a[0] = x[0] * x[1];
    a[1] = a[0] * x[2];
    a[2] = bfloat(y[0]);
}
