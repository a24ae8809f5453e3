// What is declared const can be written by way of a cast, and is watched as well: a pointer kept in an array leads there, too.
// dispatch threads=2 per=1
// bind 0 uint 0 0
// bind 1 uint 0 0
// find 11:27 wrong race write and write; 11:27
// find 13:21 wrong race write and write; 13:21
#include <metal_stdlib>
using namespace metal;
kernel void f(device const uint *a [[buffer(0)]], device const uint *b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    ((device uint *)a)[1] = i + 1;
    device uint *kept[2] = {(device uint *)b, (device uint *)b + 1};
    *kept[a[0] & 1] = i + 1;
}
