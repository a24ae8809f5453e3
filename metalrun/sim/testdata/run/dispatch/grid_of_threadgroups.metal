// threadgroups_per_grid and threads_per_grid of a grid of whole threadgroups.
// dispatch groups=2,3 per=4,2
// bind 0 uint 0 x4
// want 0 uint 2 3 8 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint2 g [[threadgroups_per_grid]], uint2 t [[threads_per_grid]],
              uint2 p [[thread_position_in_grid]])
{
    if (p.x == 0 && p.y == 0) {
        a[0] = g.x;
        a[1] = g.y;
        a[2] = t.x;
        a[3] = t.y;
    }
}
