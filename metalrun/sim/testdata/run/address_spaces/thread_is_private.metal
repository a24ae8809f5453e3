// A variable of the thread is not shared.
// dispatch threads=4 per=4
// want 0 int 0 11 22 33
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = i;
    thread int* p = &x;
    *p += 10 * int(i);
    threadgroup_barrier(mem_flags::mem_none);
    a[i] = x;
}
