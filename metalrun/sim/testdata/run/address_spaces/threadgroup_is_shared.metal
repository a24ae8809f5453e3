// What one thread writes to threadgroup memory, the others read; each threadgroup has its own.
// dispatch groups=2 per=4
// want 0 int 10 10 10 10 11 11 11 11
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]])
{
    threadgroup int x;
    if (t == 3) {
        x = 10 + int(g);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[i] = x;
}
