// Threads that return before a barrier: no error on Apple GPUs.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 1 1 1 0
// find 16:5 note return threads return before
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    threadgroup int x[4];
    if (i == 3) {
        return;
    }
    x[i] = 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = x[2 - i];
}
