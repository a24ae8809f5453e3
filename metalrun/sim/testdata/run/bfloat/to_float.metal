// Widening is exact: the bits of a bfloat are the upper bits of the float.
// dispatch threads=4 per=4
// bind 1 bfloat bits:4049 bits:0001 inf bits:c2f7
// want 0 float bits:40490000 bits:00010000 inf bits:c2f70000
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const bfloat* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = x[i];
}
