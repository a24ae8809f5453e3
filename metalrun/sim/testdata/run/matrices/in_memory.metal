// Columns of three floats are 16 bytes apart in memory.
// bind 1 float 1 2 3 0 4 5 6 0 7 8 9 0
// want 0 float 4 8 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float3x3* m [[buffer(1)]])
{
    a[0] = m[0][1][0];
    a[1] = m[0][2].y;
    device const float3x3& n = m[0];
    a[2] = n[1][2];
}
