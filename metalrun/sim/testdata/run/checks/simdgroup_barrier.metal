// A barrier of the simdgroup orders its own threads.
// dispatch threads=64 per=64
// local 0 256
// want 0 int 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30 33 32 35 34 37 36 39 38 41 40 43 42 45 44 47 46 49 48 51 50 53 52 55 54 57 56 59 58 61 60 63 62
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], threadgroup int* x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    x[i] = int(i);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = x[i ^ 1];
}
