// What moves in comes from the other end of the filling data of the quad.
// dispatch threads=8 per=8
// want 0 int 103 0 1 2 107 4 5 6
// want 1 int 2 3 100 101 6 7 104 105
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    int x = i, fill = 100 + i;
    a[i] = quad_shuffle_and_fill_up(x, fill, 1);
    b[i] = quad_shuffle_and_fill_down(x, fill, 2);
}
