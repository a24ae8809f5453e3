// The loop stores the next value before all threads have read the last one.
// dispatch threads=64 per=64
// local 0 4
// want 0 int 3 x64
// find 14:18 wrong race write and read; 17:17
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], threadgroup int* x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        if (i == 0) {
            x[0] = k;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        sum += x[0];
    }
    out[i] = sum;
}
