// A negative index.
// dispatch threads=2 per=2
// bind 0 int 5 6
// bind 1 int 0 x2
// fault 11:13 read of 4 bytes at offset -4 is out of range of buffer(0)
#include <metal_stdlib>
using namespace metal;

kernel void shift(device const int* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    b[i] = a[int(i) - 1];
}
