// Whole threadgroups: their position and the index in each.
// dispatch groups=3 per=2
// bind 0 uint 0 x6
// want 0 uint 0 1 10 11 20 21
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint g [[threadgroup_position_in_grid]], uint l [[thread_index_in_threadgroup]],
              uint n [[threads_per_threadgroup]])
{
    a[g * n + l] = 10 * g + l;
}
