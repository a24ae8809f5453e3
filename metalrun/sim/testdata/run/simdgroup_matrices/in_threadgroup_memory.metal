// Loads from and stores to threadgroup memory.
// dispatch threads=32 per=32
// want 0 float 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46 48 50 52 54 56 58 60 62 64 66 68 70 72 74 76 78 80 82 84 86 88 90 92 94 96 98 100 102 104 106 108 110 112 114 116 118 120 122 124 126
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    threadgroup float x[64];
    x[lane] = lane;
    x[lane + 32] = lane + 32;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_float8x8 m, two(2);
    simdgroup_load(m, x);
    simdgroup_multiply(m, m, two);
    simdgroup_store(m, x);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[lane] = x[lane];
    a[lane + 32] = x[lane + 32];
}
