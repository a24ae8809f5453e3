// floor, ceil, trunc, rint (ties to even) and round (ties away from zero).
// dispatch threads=5 per=5
// bind 1 float -1.5 2.5 3.5 -0.5 bits:3effffff
// want 0 float -2 2 3 -1 0
// want 2 float -1 3 4 -0 1
// want 3 float -1 2 3 -0 0
// want 4 float -2 2 4 -0 0
// want 5 float -2 3 4 -1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], device float* b [[buffer(2)]], device float* c [[buffer(3)]], device float* d [[buffer(4)]], device float* e [[buffer(5)]], uint i [[thread_position_in_grid]])
{
    a[i] = floor(x[i]);
    b[i] = ceil(x[i]);
    c[i] = trunc(x[i]);
    d[i] = rint(x[i]);
    e[i] = round(x[i]);
}
