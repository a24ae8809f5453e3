// Values move inside of the quad; its ends keep their own.
// dispatch threads=8 per=8
// want 0 int 0 0 1 2 4 4 5 6
// want 1 int 2 3 2 3 6 7 6 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = quad_shuffle_up(int(i), 1);
    b[i] = quad_shuffle_down(int(i), 2);
}
