// Two arguments are two objects, also without explicit indices.
// dispatch threads=2 per=2
// local 0 16
// local 1 16
// want 0 int 21 12
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], threadgroup int* v, threadgroup int* w, uint t [[thread_index_in_threadgroup]])
{
    v[t] = t + 1;
    w[t] = 10 * (t + 1);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = v[t] + w[1 - t];
}
