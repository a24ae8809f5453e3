// With a barrier between there is no race.
// dispatch threads=64 per=64
// local 0 256
// want 0 int 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], threadgroup int* x [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]])
{
    x[i] = int(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = x[63 - i];
}
