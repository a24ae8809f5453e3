// Mirror image in each quad; exchange of neighbours and of halves.
// dispatch threads=8 per=8
// want 0 int 3 2 1 0 7 6 5 4
// want 1 int 1 0 3 2 5 4 7 6
// want 2 int 2 3 0 1 6 7 4 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], device int* c [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    a[i] = quad_shuffle(int(i), 3 - i % 4);
    b[i] = quad_shuffle_xor(int(i), 1);
    c[i] = quad_shuffle_xor(int(i), 2);
}
