// Components are reached by a computed index, for reading and writing: each thread moves one component.
// dispatch threads=4 per=4
// want 0 float 4 0 0 0 0 3 0 0 0 0 2 0 0 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device float4* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float4 from = float4(1, 2, 3, 4), to = float4(0);
    to[i] = from[3 - i];
    a[i] = to;
}
