// A flat threadgroup array seen as rows.
// dispatch threads=6 per=6
// want 0 int 0 10 20 1 11 21
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup int flat[6];
    threadgroup int (*rows)[3] = (threadgroup int (*)[3])flat;
    rows[t % 2][t / 2] = int(t % 2 + 10 * (t / 2));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = flat[t];
}
