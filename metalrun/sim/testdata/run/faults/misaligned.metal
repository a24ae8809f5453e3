// A cast pointer that breaks its type's alignment.
// dispatch threads=1 per=1
// bind 0 uchar 1 2 3 4 5 6 7 8
// bind 1 uint 0
// fault 11:12 misaligned read of 4 bytes at offset 2 of buffer(0)
#include <metal_stdlib>
using namespace metal;

kernel void peek(device const uchar* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    b[0] = *(device const uint*)(a + 2);
}
