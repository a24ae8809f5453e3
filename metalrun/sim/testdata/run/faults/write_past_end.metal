// A write one element past the end.
// dispatch threads=5 per=5
// bind 0 int 0 x4
// fault 10:10 write of 4 bytes at offset 16 is out of range of buffer(0) "a", which has 16 bytes
#include <metal_stdlib>
using namespace metal;

kernel void number(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = int(i);
}
