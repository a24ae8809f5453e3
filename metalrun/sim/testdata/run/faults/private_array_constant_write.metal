// A write in front of a private array that is otherwise kept in registers.
// dispatch threads=1 per=1
// bind 0 int 1 2
// fault 10:11 write of 4 bytes at offset -4 is out of range of thread "v"
#include <metal_stdlib>
using namespace metal;
kernel void f(device int* a [[buffer(0)]])
{
    int v[2] = {a[0], a[1]};
    v[-1] = a[0];
    a[0] = v[0];
}
