// A function fills threadgroup memory through a pointer, another sums it.
// dispatch threads=4 per=4
// want 0 int 10 10 10 10
#include <metal_stdlib>
using namespace metal;

static void put(threadgroup int* p, uint at, int x) { p[at] = x; }
static int sum(threadgroup const int* p, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++) {
        s += p[k];
    }
    return s;
}
kernel void f(device int* a [[buffer(0)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup int v[4];
    put(v, t, t + 1);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[t] = sum(v, 4);
}
