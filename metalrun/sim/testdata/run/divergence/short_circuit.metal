// The right side of && is not evaluated where the left is false: it would read out of range.
// dispatch threads=4 per=4
// bind 0 int 5 -6
// bind 1 int 0 x4
// want 1 int 1 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device const int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    b[i] = i < 2 && a[i] > 0;
}
