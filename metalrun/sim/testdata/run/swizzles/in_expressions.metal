// Swizzles as operands: (1,2,3) * (4,4,4) + (3,2,1).
// want 0 int 7 10 13
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int4 v = int4(1, 2, 3, 4);
    int3 r = v.xyz * v.www + v.zyx;
    a[0] = r.x;
    a[1] = r.y;
    a[2] = r.z;
}
