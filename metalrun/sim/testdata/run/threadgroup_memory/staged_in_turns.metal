// The same memory is filled again in each turn of a loop; barriers keep turns apart.
// dispatch threads=2 per=2
// bind 1 int 1 2 3 4 5 6
// want 0 int 21 21
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup int v[2];
    int sum = 0;
    for (uint k = 0; k < 6; k += 2) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        v[t] = x[k + t];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        sum += v[0] + v[1];
    }
    a[t] = sum;
}
