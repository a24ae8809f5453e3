// A constant index past an array that a function has by reference.
// dispatch threads=1 per=1
// bind 0 int 1 2
// fault 7:61 read of 4 bytes at offset 8 is out of range of thread "v"
#include <metal_stdlib>
using namespace metal;
static inline int third(thread const int (&v)[2]) { return v[2]; }

kernel void f(device int* a [[buffer(0)]])
{
    int v[2] = {a[0], a[1]};
    a[0] = third(v);
}
