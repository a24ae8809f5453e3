// Inclusive sums by doubling distance, reading and writing separated by barriers: triangle numbers.
// dispatch threads=8 per=8
// want 0 int 1 3 6 10 15 21 28 36
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup int v[8];
    v[t] = t + 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint d = 1; d < 8; d *= 2) {
        int before = t >= d ? v[t - d] : 0;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        v[t] += before;
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    a[t] = v[t];
}
