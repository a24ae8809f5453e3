// Threads read what others wrote, after a barrier.
// dispatch threads=5 per=5
// bind 1 int 1 2 3 4 5
// want 0 int 5 4 3 2 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup int v[5];
    v[t] = x[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = v[4 - t];
}
