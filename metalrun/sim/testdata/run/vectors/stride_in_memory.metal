// An element of a float3 buffer takes 16 bytes.
// bind 1 float 1 2 3 99 4 5 6 99
// want 0 float 4 5 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float3* v [[buffer(1)]])
{
    a[0] = v[1].x;
    a[1] = v[1].y;
    a[2] = v[1].z;
}
