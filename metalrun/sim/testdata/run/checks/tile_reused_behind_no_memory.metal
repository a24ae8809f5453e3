// Before the tile is stored again all threads have read it: they wait, and the barrier
// only does not name the memory.
// dispatch threads=64 per=64
// local 0 256
// want 0 int 63 x64
// find 14:14 undefined race write and read; 16:17
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], threadgroup int* x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        x[i] = int(i) * (k != 1);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        sum += x[63 - i] * (k == 2);
        threadgroup_barrier(mem_flags::mem_none);
    }
    out[i] = sum + int(i);
}
