// Positions may be 16 bits wide.
// dispatch threads=3 per=3
// bind 0 uint 0 x3
// want 0 uint 5 6 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], ushort i [[thread_position_in_grid]])
{
    a[i] = i + ushort(5);
}
