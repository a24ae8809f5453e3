// A float fits behind a packed_float3: the struct has 16 bytes, the next one starts at once.
// bind 1 float 1 2 3 4 5 6 7 8
// want 0 float 16 4 5 8
#include <metal_stdlib>
using namespace metal;

struct Plane {
    packed_float3 normal;
    float distance;
};
kernel void f(device float* a [[buffer(0)]], device const Plane* p [[buffer(1)]])
{
    a[0] = sizeof(Plane);
    a[1] = p[0].distance;
    a[2] = p[1].normal.x;
    a[3] = p[1].distance;
}
