// The condition of ?: is one bool, its arms may be vectors.
// dispatch threads=2 per=2
// want 0 float 1 2 3 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device float2* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float2 u = float2(1, 2), v = float2(3, 4);
    a[i] = i == 0 ? u : v;
}
