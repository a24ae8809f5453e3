// Every thread has its own array and its own index into it.
// dispatch threads=4 per=4
// bind 1 uint 3 0 2 1
// want 0 int 13 10 112 11
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const uint* at [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    int v[4] = {10, 11, 12, 13};
    v[i] += 100;
    a[i] = v[at[i]];
}
