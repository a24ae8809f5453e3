// A packed vector is passed where an unpacked one is wanted.
// bind 1 float 1 2 3 4 5 6
// want 0 float 32 6
#include <metal_stdlib>
using namespace metal;

static float product(float3 u, float3 v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
kernel void f(device float* a [[buffer(0)]], device const packed_float3* v [[buffer(1)]])
{
    a[0] = product(v[0], v[1]);
    a[1] = product(v[0], 1);
}
