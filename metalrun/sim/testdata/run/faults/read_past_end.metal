// A read one element past the end.
// dispatch threads=5 per=5
// bind 0 float 1 2 3 4
// bind 1 float 0 x5
// fault 11:13 read of 4 bytes at offset 16 is out of range of buffer(0) "a", which has 16 bytes
#include <metal_stdlib>
using namespace metal;

kernel void copy(device const float* a [[buffer(0)]], device float* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    b[i] = a[i];
}
