// Vectors convert component by component.
// want 0 int 1 -1 2
// want 1 float 255 1
// want 2 uchar 0 255 44 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device float2* b [[buffer(1)]], device uchar4* c [[buffer(2)]])
{
    int3 v = int3(float3(1.7f, -1.7f, 2.5f));
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
    b[0] = float2(uchar2(255, 1));
    c[0] = uchar4(int4(256, -1, 300, 5));
}
