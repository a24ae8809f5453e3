// Arrays of scalars and vectors at program scope.
// dispatch threads=3 per=3
// want 0 float 1.5 5 11
#include <metal_stdlib>
using namespace metal;

constant float scale[3] = {0.5f, 1, 2};
constant int2 pairs[] = {int2(1, 2), int2(2, 3), int2(2, 3.5f)};
kernel void f(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = scale[i] * (pairs[i].x + pairs[i].y) + (i == 2 ? 1 : 0);
}
