// What is read behind a barrier that does not name the memory may be what it held before.
// dispatch threads=64 per=64
// local 0 256
// bind 0 int 0 x64
// find 15:17 wrong race read and write; 13:14
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], threadgroup int* x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        x[i] = int(i) + k;
        threadgroup_barrier(mem_flags::mem_none);
        sum += x[63 - i];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    out[i] = sum;
}
