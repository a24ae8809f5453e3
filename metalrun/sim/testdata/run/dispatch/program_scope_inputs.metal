// Inputs that are declared at program scope, which any function reads.
// Six threads in threadgroups of four: 10*group + thread, and twice the position.
// dispatch threads=6 per=4
// bind 0 int 0 x6
// bind 1 int 0 x6
// want 0 int 0 1 2 3 10 11
// want 1 int 0 2 4 6 8 10

#include <metal_stdlib>
using namespace metal;

uint3 position [[thread_position_in_grid]];
ushort thread_in_group [[thread_index_in_threadgroup]];
uint group [[threadgroup_position_in_grid]];

int named() { return int(10 * group + thread_in_group); }

kernel void k(device int *a [[buffer(0)]], device int *b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = named();
    b[position.x] = int(position.x + i);
}
