// Elements of a packed_float3 buffer follow each other every 12 bytes.
// dispatch threads=3 per=3
// bind 1 float 1 2 3 4 5 6 7 8 9
// want 0 float 6 15 24
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const packed_float3* v [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = v[i].x + v[i].y + v[i].z;
}
