// Rotation by one in both directions.
// dispatch threads=8 per=8
// want 0 int 3 0 1 2 7 4 5 6
// want 1 int 1 2 3 0 5 6 7 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = quad_shuffle_rotate_up(int(i), 1);
    b[i] = quad_shuffle_rotate_down(int(i), 1);
}
