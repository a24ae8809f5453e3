// Cutting off the lower half of a float truncates; the conversion rounds to nearest.
// bind 1 float bits:3fffffff
// want 0 bfloat bits:3fff 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    a[0] = as_type<bfloat>(ushort(as_type<uint>(x[0]) >> 16));
    a[1] = bfloat(x[0]);
}
