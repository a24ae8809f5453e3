// A constant index past an array of pointers.
// dispatch threads=1 per=1
// bind 0 int 1 2
// bind 1 int 3 4
// fault 11:13 read of 8 bytes at offset 16 is out of range of thread "p"
#include <metal_stdlib>
using namespace metal;
kernel void f(device int* a [[buffer(0)]], device const int* b [[buffer(1)]])
{
    device const int* const p[2] = {a, b};
    a[0] = p[2][1];
}
