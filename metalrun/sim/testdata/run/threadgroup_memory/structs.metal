// A struct with an array and a counter, filled by several threads.
// dispatch threads=4 per=4
// want 0 int 4 6 0 1 2 3
#include <metal_stdlib>
using namespace metal;

struct Shared {
    int v[4];
    int count;
};
kernel void f(device int* a [[buffer(0)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup Shared s;
    s.v[t] = t;
    if (t == 2) {
        s.count = 4;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
        a[0] = s.count;
        a[1] = s.v[0] + s.v[1] + s.v[2] + s.v[3];
    }
    a[2 + t] = s.v[t];
}
