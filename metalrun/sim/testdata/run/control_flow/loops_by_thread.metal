// Threads leave loops at different turns and meet again behind them.
// dispatch threads=6 per=6
// want 0 int 0 1 3 6 10 15
// want 1 int 15 x6
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device int* b [[buffer(1)]], uint t [[thread_index_in_threadgroup]])
{
    threadgroup int shared[6];
    int sum = 0;
    for (int k = 1; k <= int(t); k++) {
        sum += k;
    }
    shared[t] = sum;
    a[t] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    b[t] = shared[5];
}
