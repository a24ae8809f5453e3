// Elements written by lanes: each becomes ten times its row plus its column.
// dispatch threads=32 per=32
// want 0 float 0 1 2 3 4 5 6 7 10 11 12 13 14 15 16 17 20 21 22 23 24 25 26 27 30 31 32 33 34 35 36 37 40 41 42 43 44 45 46 47 50 51 52 53 54 55 56 57 60 61 62 63 64 65 66 67 70 71 72 73 74 75 76 77
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    simdgroup_float8x8 m;
    ushort quad = lane / 4;
    ushort row = (quad & 4) + lane / 2 % 4, column = (quad & 2) * 2 + lane % 2 * 2;
    m.thread_elements()[0] = 10 * row + column;
    m.thread_elements()[1] = 10 * row + column + 1;
    simdgroup_store(m, a);
}
