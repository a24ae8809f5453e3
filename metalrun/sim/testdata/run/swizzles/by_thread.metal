// Swizzles under a condition that threads take apart.
// dispatch threads=2 per=2
// want 0 int 1 2 2 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int2* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int2 v = int2(1, 2);
    if (i == 1) {
        v.xy = v.yx;
    }
    a[i] = v;
}
