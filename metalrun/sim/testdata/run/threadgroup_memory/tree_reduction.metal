// A sum by halves: 1 + 2 + ... + 64 = 2080, in log2(64) steps with a barrier each.
// dispatch threads=64 per=64
// want 0 int 2080
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup int v[64];
    v[t] = t + 1;
    for (uint n = 32; n > 0; n /= 2) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (t < n) {
            v[t] += v[t + n];
        }
    }
    if (t == 0) {
        a[0] = v[0];
    }
}
