// Each thread measures its own pair of packed vectors.
// dispatch threads=3 per=3
// bind 1 float 1 2 2 0 3 4 6 2 3
// want 0 float 3 5 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const packed_float3* v [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = length(float3(v[i]));
}
