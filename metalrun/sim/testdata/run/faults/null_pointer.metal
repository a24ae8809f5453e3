// A null pointer.
// dispatch threads=1 per=1
// bind 0 int 0
// fault 11:10 null pointer
#include <metal_stdlib>
using namespace metal;

kernel void null(device int* a [[buffer(0)]])
{
    device int* p = a[0] == 0 ? nullptr : a;
    p[0] = 1;
}
