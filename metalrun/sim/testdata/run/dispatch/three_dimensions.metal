// Positions in x, y and z, linear with x fastest.
// dispatch threads=2,2,2 per=2,1,2
// bind 0 uint 0 x8
// want 0 uint 0 1 10 11 100 101 110 111
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint3 p [[thread_position_in_grid]], uint3 n [[threads_per_grid]])
{
    a[(p.z * n.y + p.y) * n.x + p.x] = p.x + 10 * p.y + 100 * p.z;
}
