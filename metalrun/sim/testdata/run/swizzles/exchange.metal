// The right side is read before the left is written.
// want 0 int 2 1 3 4 4 3 1 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device int4* a [[buffer(0)]])
{
    int4 v = int4(1, 2, 3, 4);
    v.xy = v.yx;
    a[0] = v;
    v.xyzw = v.wzyx;
    a[1] = v;
}
