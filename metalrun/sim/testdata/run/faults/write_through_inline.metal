// Memory that the host passed by value cannot be written.
// dispatch threads=1 per=1
// inline 0 int 7
// fault 10:10 read-only
#include <metal_stdlib>
using namespace metal;

kernel void set(device int* a [[buffer(0)]])
{
    a[0] = 8;
}
