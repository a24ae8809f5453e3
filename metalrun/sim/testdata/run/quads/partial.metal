// The last quad of 6 threads has two.
// dispatch threads=6 per=6
// want 0 int 6 6 6 6 9 9
// want 1 uint 15 15 15 15 3 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device uint* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = quad_sum(int(i));
    b[i] = uint(ulong(quad_active_threads_mask())) & 15;
}
