// One that the others read from.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// find 16:5 note return threads return before
// find 17:15 wrong uninitialised threadgroup "x" (early_return_missed.metal:11:5); 11:5
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
    out[i] = x[i + 1];
}
