// Lanes 1 to 3 of each quad sum without lane 0.
// dispatch threads=8 per=8
// want 0 int 0 6 6 6 4 18 18 18
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i % 4 == 0) {
        a[i] = quad_sum(int(i));
    } else {
        a[i] = quad_sum(int(i));
    }
}
