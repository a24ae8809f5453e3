// Each thread takes one element by computed column and row.
// dispatch threads=6 per=6
// want 0 float 1 3 5 2 4 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    float3x2 m = float3x2(1, 2, 3, 4, 5, 6);
    a[i] = m[i % 3][i / 3];
}
