// Lane 2 of each quad, and the first active lane.
// dispatch threads=8 per=8
// want 0 int 12 12 12 12 16 16 16 16
// want 1 int 0 11 11 11 0 15 15 15
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    int x = 10 + i;
    a[i] = quad_broadcast(x, 2);
    b[i] = 0;
    if (i % 4 > 0) {
        b[i] = quad_broadcast_first(x);
    }
}
